#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <optional>

namespace trestle::math {

enum class TimeDomain : std::uint8_t { kContinuous, kDiscrete };

/// An eigenvalue of A whose mode does not decay and that no column of B moves, by the rank
/// test of Popov, Belevitch and Hautus; none if (A, B) can be stabilised. With Aᵀ and
/// Cᵀ: a mode that no row of C sees, none if (C, A) can be detected. Tells what is so by
/// construction; a mode that B moves ever so little passes.
/// @returns  [rad/s] in continuous time, z in discrete time
std::optional<std::complex<double>> uncontrollable_mode(const Eigen::MatrixXd& A,
                                                        const Eigen::MatrixXd& B,
                                                        TimeDomain domain);

/// True if every eigenvalue of A lies in the open left half plane, or within the open
/// unit circle.
bool is_asymptotically_stable(const Eigen::MatrixXd& A, TimeDomain domain);

}  // namespace trestle::math
