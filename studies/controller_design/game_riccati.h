#pragma once

#include <Eigen/Core>
#include <optional>

namespace trestle::controller_design {

/// The stabilising solution X of AᵀX + X A − X G X + Q = 0, A − G X stable, with G and Q
/// symmetric. G may be indefinite, as in a game between a controller and a disturbance;
/// math::solve_continuous_riccati() takes G = B R⁻¹Bᵀ alone.
///
/// By the sign function of the Hamiltonian [A −G; −Q −Aᵀ] (Roberts 1980, doi:10.1080/
/// 00207178008922881): Newton's iteration with the determinant's scaling, then the stable
/// subspace, then one step of Newton on the equation itself; without Q and with a stable A
/// it is zero. Set-up only.
///
/// @returns nothing if the Hamiltonian has an eigenvalue on the imaginary axis, to within
///          rounding, or no X is found whose residual is below 1e-7 of the largest term
std::optional<Eigen::MatrixXd> solve_game_riccati(const Eigen::MatrixXd& A,
                                                  const Eigen::MatrixXd& G,
                                                  const Eigen::MatrixXd& Q);

/// One step of Newton from X towards the solution: X + D with
/// (A − G X)ᵀD + D(A − G X) + (AᵀX + X A − X G X + Q) = 0.
/// @returns X itself where A − G X is not stable, or where the step does not reduce the
///          residual
Eigen::MatrixXd refine_riccati(const Eigen::MatrixXd& A, const Eigen::MatrixXd& G,
                               const Eigen::MatrixXd& Q, const Eigen::MatrixXd& X);

/// |AᵀX + X A − X G X + Q| over the norm of its largest term.
double riccati_residual(const Eigen::MatrixXd& A, const Eigen::MatrixXd& G,
                        const Eigen::MatrixXd& Q, const Eigen::MatrixXd& X);

}  // namespace trestle::controller_design
