#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/math/state_space.h"
#include "numerical/bond_graph/graph_model.h"
#include "numerical/bond_graph/linear_graph.h"

namespace trestle::bond_graph {

/// The transfer graph from its commanded force to its velocity; other sources rest.
/// @throws SettingError [E_LAW, E_UNKNOWN] and as linearise_graph()
math::StateSpace transfer_system(const TransferModel& transfer);

/// The transfer graph turned around: from the velocity that is imposed at its force source
/// to the force, F = C x + D v + rate v'. Its mass then only follows, its spring stays.
/// @returns nothing if the transfer is no graph or its velocity is elsewhere
std::optional<LinearGraph> imposed_flow(const TransferModel& transfer);

/// The same system as augmented(), made from transfer graphs with their flow imposed: the
/// second way to the virtual junction, which checks the first. Its inner states are those
/// of the transfer graphs.
/// @pre each input reaches each v_N through one integration at least, or no transfer needs
/// v'
math::StateSpace augmented_by_imposed_flow(const math::StateSpace& numerical,
                                           const std::vector<LinearGraph>& transfers,
                                           const Eigen::VectorXd& load);

/// The largest difference of two systems' frequency responses, as a part of the largest
/// entry, at frequencies around those of the first.
double worst_difference(const math::StateSpace& one, const math::StateSpace& other);

}  // namespace trestle::bond_graph
