#pragma once

#include <Eigen/Core>

#include "core/math/state_space.h"

namespace trestle::bond_graph {

/// Returns D for k = 0, otherwise C A^(k−1) B: outputs × inputs. Values within round-off of
/// zero are set to zero.
Eigen::MatrixXd markov_parameter(const math::StateSpace& system, int k);

/// C Aᵏ.
Eigen::MatrixXd output_power(const math::StateSpace& system, int k);

}  // namespace trestle::bond_graph
