#pragma once

#include <Eigen/Core>

#include "core/math/state_space.h"

namespace trestle::bond_graph {

/// D for k = 0, else C A^(k−1) B: outputs × inputs. What round-off left of zero is zero.
Eigen::MatrixXd markov_parameter(const StateSpace& system, int k);

/// C Aᵏ.
Eigen::MatrixXd output_power(const StateSpace& system, int k);

}  // namespace trestle::bond_graph
