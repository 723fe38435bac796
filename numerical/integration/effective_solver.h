#pragma once

#include <Eigen/Core>
#include <optional>

#include "numerical/integration/cholesky_factor.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// Solves (S + s·W·diag(c)·Wᵀ)·x = b: an effective matrix whose modal damping is full but
/// of low rank, by the formula of Woodbury (1950). A diagonal S is divided by; a small one
/// is multiplied by its inverse, for speed; any other is factored once.
class EffectiveSolver {
 public:
  /// @param sparse  S, symmetric, positive definite
  /// @param modal   W and c; may be empty
  /// @param factor  s, of the modal part: Δt/2 or the like
  /// @throws NotPositiveDefinite
  EffectiveSolver(const structure::SparseMatrix& sparse,
                  const structure::ModalDampingFactors& modal, double factor);

  /// x ← (S + s·W·diag(c)·Wᵀ)⁻¹·x. Does not allocate.
  void solve(Eigen::VectorXd& x) const noexcept;

  /// The reciprocal of a diagonal S without modal part; empty otherwise.
  const Eigen::VectorXd& inverse_diagonal() const noexcept { return reciprocal_; }
  /// S⁻¹ of a small S; size zero: it is not used.
  const Eigen::MatrixXd& inverse() const noexcept { return inverse_; }
  bool diagonal() const noexcept { return reciprocal_.size() > 0; }
  bool has_modal_part() const noexcept { return reach_.cols() > 0; }

 private:
  void invert(Eigen::Index rows);
  void solve_sparse(Eigen::VectorXd& x) const noexcept;

  std::optional<CholeskyFactor> factor_;
  Eigen::MatrixXd inverse_;  // of a small S
  mutable Eigen::VectorXd product_;
  Eigen::VectorXd reciprocal_;
  Eigen::MatrixXd modes_;  // W, damped modes only
  Eigen::MatrixXd reach_;  // S⁻¹·W·(diag(s·c)⁻¹ + Wᵀ·S⁻¹·W)⁻¹
  mutable Eigen::VectorXd share_;
};

}  // namespace trestle::integration
