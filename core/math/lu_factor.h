#pragma once

#include <Eigen/Core>

namespace trestle::math {

/// P A = L U of a square matrix, by elimination with partial pivoting. Compiled once, so
/// that the callers do not compile the elimination again.
class LuFactor {
 public:
  LuFactor() = default;
  explicit LuFactor(const Eigen::MatrixXd& matrix) { compute(matrix); }

  /// @param matrix  not singular; a singular one gives numbers that are not finite
  void compute(const Eigen::MatrixXd& matrix);

  /// x ← A⁻¹ b, of b's size already. Does not allocate.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::VectorXd& x) const noexcept;

  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  Eigen::MatrixXd inverse() const;

 private:
  Eigen::MatrixXd factor_;  // L below the diagonal, U from it on
  Eigen::PermutationMatrix<Eigen::Dynamic> rows_;
};

}  // namespace trestle::math
