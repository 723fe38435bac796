#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/state_space.h"
#include "numerical/bond_graph/transfer_inverse.h"

namespace trestle::bond_graph {

/// [x_N; eta] with input (F_P, sources), output F_T = beta_hat F_P + T⁻¹ v_N.
/// @param numerical  outputs: v_N of every port first; more are left alone
/// @param load       beta_hat per port
/// @throws SettingError [E_VJ_IMPROPER] if an input reaches v_N on a shorter way than
/// the
///         transfer system can follow: names port, input, required and actual degree
math::StateSpace augmented(const math::StateSpace& numerical,
                           const TransferInverse& inverse, const Eigen::VectorXd& load,
                           const JunctionLabels& names);

/// Relative degree per port of v_N from its own F_P; −1 if there is no way.
std::vector<int> port_degrees(const math::StateSpace& numerical, Eigen::Index ports);

/// Rows Z with z = Z eta, z' = v, where T⁻¹ has such states. @returns no rows otherwise
Eigen::MatrixXd displacement_of(const TransferInverse& inverse);

}  // namespace trestle::bond_graph
