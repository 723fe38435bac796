#pragma once

#include <Eigen/Core>
#include <complex>

namespace trestle::math {

/// A linear system in continuous time: dx/dt = A x + B u, y = C x + D u.
/// A: states × states, B: states × inputs, C: outputs × states, D: outputs × inputs.
/// No states at all is a plain gain D.
struct StateSpace {
  Eigen::MatrixXd A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D;  // NOLINT(readability-identifier-naming)

  Eigen::Index states() const noexcept { return A.rows(); }
  Eigen::Index inputs() const noexcept { return D.cols(); }
  Eigen::Index outputs() const noexcept { return D.rows(); }
};

/// The same system at the instants n·period: x[n+1] = A x[n] + B u[n], y[n] = C x[n] + D
/// u[n].
struct DiscreteStateSpace {
  Eigen::MatrixXd A;    // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd B;    // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;    // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D;    // NOLINT(readability-identifier-naming)
  double period = 0.0;  ///< [s]
};

/// True if the four matrices fit one another.
bool sizes_fit(const StateSpace& system) noexcept;

/// C (s I − A)⁻¹ B + D at one complex frequency s [rad/s].
Eigen::MatrixXcd frequency_response(const StateSpace& system, std::complex<double> s);

/// C (z I − A)⁻¹ B + D at one z = exp(s·period).
Eigen::MatrixXcd frequency_response(const DiscreteStateSpace& system,
                                    std::complex<double> z);

/// Returns the same system with its states scaled by powers of two, so that inputs and
/// outputs of each state have similar size (Parlett and Reinsch 1969). Changes the transfer
/// function only by the order of additions.
StateSpace balanced(StateSpace system);

/// Returns the scales d of balanced(): its states are d·x, each d a power of two.
Eigen::VectorXd balancing_scales(StateSpace system);

}  // namespace trestle::math
