#pragma once

#include <Eigen/Core>

namespace trestle::pretest {

/// Returns the largest modulus of the eigenvalues of the matrix that maps a state to the
/// next one: below one, every disturbance decays.
///
/// By all eigenvalues of the balanced matrix (Parlett and Reinsch 1969; QR algorithm).
/// States that influence nothing, and such as nothing ever moves from rest, do not count; a
/// matrix of such states alone has the radius 0.
/// @returns infinity if a coefficient is not finite
double spectral_radius(const Eigen::MatrixXd& step);

/// The eigenvalue of that modulus.
struct LargestEigenvalue {
  double modulus = 0.0;
  double angle = 0.0;  ///< per step, >= 0 [rad]
};
LargestEigenvalue largest_eigenvalue(const Eigen::MatrixXd& step);

/// Returns the matrix on which spectral_radius() works.
Eigen::MatrixXd remove_unreachable_states(Eigen::MatrixXd step);

}  // namespace trestle::pretest
