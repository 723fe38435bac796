#pragma once

#include <Eigen/Core>
#include <string>

namespace trestle::math {

/// A quadratic cost of a linear system: state weight Q (symmetric, positive semi-definite)
/// and input weight R (symmetric, positive definite), for dx/dt = A x + B u or for
/// x[k+1] = A x[k] + B u[k].
struct QuadraticProblem {
  Eigen::MatrixXd A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd Q;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd R;  // NOLINT(readability-identifier-naming)
};

/// The stabilising solution X and the feedback u = −K x that belongs to it.
struct RiccatiSolution {
  Eigen::MatrixXd X;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd K;  // NOLINT(readability-identifier-naming)
};

/// Both are solved by structure-preserving doubling (Chu, Fan, Lin and Wang, Int. J.
/// Control 77, 2004; the continuous one behind a Cayley transform: Chu, Fan and Lin, Linear
/// Algebra Appl. 396, 2005), which needs no ordered Schur form and converges quadratically,
/// after the states and the two weights were brought to one size by powers of two, so that
/// states of very different units do no harm (Benner 2001).
///
/// Set-up only. @throws SettingError(path) where a mode that does not decay is not moved by
/// B (not stabilisable) or does not enter Q (not detectable), R is not positive definite,
/// or no stabilising solution is found: the residual is checked, and so is that A − B K
/// decays.

/// AᵀX + X A − X B R⁻¹Bᵀ X + Q = 0, K = R⁻¹BᵀX.
RiccatiSolution solve_continuous_riccati(const QuadraticProblem& problem,
                                         const std::string& path);

/// X = AᵀX A − AᵀX B (R + BᵀX B)⁻¹ BᵀX A + Q, K = (R + BᵀX B)⁻¹ BᵀX A.
RiccatiSolution solve_discrete_riccati(const QuadraticProblem& problem,
                                       const std::string& path);

}  // namespace trestle::math
