#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/state_space.h"
#include "numerical/bond_graph/augmented_substructure.h"
#include "numerical/bond_graph/graph_cut.h"
#include "numerical/bond_graph/graph_model.h"

namespace trestle::bond_graph {

/// The transfer systems of all ports, in port order, side by side.
struct TransferSystemSet {
  std::vector<const TransferModel*> models;
  std::vector<TransferSystemInfo> transfers;
  math::StateSpace system;  ///< from N forces to N velocities
  Eigen::VectorXd load;     ///< beta_hat
};

/// @param model  must live as long as the bank
/// @throws SettingError [E_VJ_SIZE, E_UNKNOWN] where ports and transfer systems do not
/// match,
///         and as transfer_system()
TransferSystemSet transfer_bank(const GraphModel& model, const GraphCut& cut);

}  // namespace trestle::bond_graph
