#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/math/state_space.h"
#include "numerical/bond_graph/right_hand_side.h"

namespace trestle::bond_graph {

/// The system of a graph or of a part of it: x' = f(x, u), y = g(x, u), with names.
struct GraphSystem {
  std::vector<std::string> states;   ///< `mass1/k.q` (displacement), `mass1/m.p` (momentum)
  std::vector<std::string> inputs;   ///< ports first, in port order, then sources by name
  std::vector<std::string> outputs;  ///< ports first, in port order, then asked-for outputs
  std::optional<math::StateSpace> linear;          ///< nothing if a law is not linear
  std::unique_ptr<RightHandSide> right_hand_side;  ///< always; same order as the names
  Eigen::VectorXd initial = {};  ///< states where a run begins; without rows: zero

  /// Whether a run begins elsewhere than at zero.
  bool starts_moved() const noexcept { return initial.size() > 0 && !initial.isZero(0.0); }
};

}  // namespace trestle::bond_graph
