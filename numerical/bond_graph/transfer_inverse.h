#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "core/math/state_space.h"

namespace trestle::bond_graph {

/// T⁻¹ of a square transfer system T with vector relative degree r: the normal form
///
///     eta' = Q eta + P xi + W w,   F = Δ⁻¹ (w − R xi − S eta),
///     xi = (y_i, y_i', …, y_i^(r_i − 1)) of each output,  w = (y_i^(r_i))
///
/// (Isidori, Nonlinear Control Systems, ch. 5, for a linear T). W is zero but for outputs
/// of degree 0.
struct TransferInverse {
  std::vector<int> degrees;  ///< r per output
  Eigen::MatrixXd Q, P, W, R, S, delta_inverse;
  std::vector<std::complex<double>> zeros;  ///< eigenvalues of Q [1/s]
};

/// The names that an error message uses.
struct JunctionLabels {
  std::vector<std::string> ports;
  std::vector<std::string> inputs;          ///< of the numerical part
  std::vector<std::string> transfers;       ///< per port
  std::vector<std::string> transfer_paths;  ///< per port, of the setting
  std::string path;                         ///< of all transfers
};

/// A zero whose real part is below this part of the size of Q counts as one on the axis.
inline constexpr double kZeroOnAxis = 1e-9;

/// @throws SettingError [E_VJ_SIZE] if T is not square of the number of ports,
///         [E_VJ_NOPATH] where an output is not reached, [E_VJ_SINGULAR] where the outputs
///         cannot be moved independently, [E_VJ_NONMINPHASE] for a zero in the right half
TransferInverse invert(const math::StateSpace& transfer, const JunctionLabels& names);

}  // namespace trestle::bond_graph
