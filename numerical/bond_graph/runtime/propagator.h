#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/math/state_space.h"
#include "numerical/bond_graph/right_hand_side.h"

namespace trestle::bond_graph {

/// Moves the state of a system on by one fixed period, its inputs on straight lines from
/// what they are at its beginning to what they are at its end.
///
/// A linear system exactly: x⁺ = Φ x + Γ₀ u₀ + Γ₁ u₁, the first-order hold; with u₁ = u₀
/// the zero-order hold (Γ₁ and Φ, Γ₀ + Γ₁ from the exponential of [A B 0; 0 0 I; 0 0 0]).
/// Any other by one classic Runge–Kutta step. advance() leaves the heap alone.
class Propagator {
 public:
  /// @param linear  none: the right-hand side is stepped. It outlives this
  /// @param period  >= 0 [s]
  Propagator(const std::optional<math::StateSpace>& linear, RightHandSide& system,
             double period);

  double period() const noexcept { return period_; }

  /// @param x  state at the beginning, then at the end
  /// @returns  false if an algebraic loop does not converge; x is then worthless
  bool advance(Eigen::VectorXd& x, const Eigen::VectorXd& before,
               const Eigen::VectorXd& after) noexcept;

 private:
  bool runge_kutta(Eigen::VectorXd& x, const Eigen::VectorXd& before,
                   const Eigen::VectorXd& after) noexcept;

  RightHandSide& system_;
  double period_;
  bool linear_;
  Eigen::MatrixXd transition_;   // Φ
  Eigen::MatrixXd from_before_;  // Γ₀
  Eigen::MatrixXd from_after_;   // Γ₁
  Eigen::VectorXd next_;
  Eigen::VectorXd middle_input_;
  Eigen::VectorXd rate_;
  Eigen::VectorXd sum_;
  Eigen::VectorXd stage_;
  Eigen::VectorXd output_;
};

}  // namespace trestle::bond_graph
