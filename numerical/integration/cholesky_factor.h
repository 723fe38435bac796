#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <stdexcept>
#include <string>

namespace trestle::integration {

/// A matrix that should be positive definite is not.
class NotPositiveDefinite : public std::domain_error {
 public:
  NotPositiveDefinite(int equation, const std::string& what)
      : std::domain_error(what), equation_(equation) {}

  /// Row at which the factorisation broke down.
  int equation() const noexcept { return equation_; }

 private:
  int equation_;
};

/// Sparse A = L·Lᵀ with a fill-reducing order, by CHOLMOD's simplicial factorisation. Made
/// once; solve() neither allocates nor fails.
class CholeskyFactor {
 public:
  /// @param matrix  symmetric; the lower triangle is read
  /// @throws NotPositiveDefinite
  explicit CholeskyFactor(const Eigen::SparseMatrix<double>& matrix);
  ~CholeskyFactor();
  CholeskyFactor(CholeskyFactor&&) noexcept;
  CholeskyFactor& operator=(CholeskyFactor&&) noexcept;

  /// x ← A⁻¹·x. Not for two threads at the same time: the workspace is shared.
  void solve(Eigen::VectorXd& x) const noexcept;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace trestle::integration
