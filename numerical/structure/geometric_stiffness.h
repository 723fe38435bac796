#pragma once

#include <Eigen/Core>
#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// What of a member's motion its axial force acts on.
enum class SecondOrderForm {
  kConsistent,  ///< the bent member: cubic shape functions (Przemieniecki 1968, ch. 15)
  kChord,       ///< the straight line between its ends
};

/// Axial force of every member at rest, tension positive: the mean of its two ends' [N].
/// @param end_forces  loads on the members, in end coordinates; size zero: none
std::vector<double> axial_forces(const StructuralModel& structure,
                                 const Eigen::VectorXd& displacement,
                                 const std::vector<Eigen::VectorXd>& end_forces);

/// Adds what constant axial forces do to members that move sideways: to the stiffness of
/// the structure, to that of each member, and to `geometric_stiffness`. Rigid offsets turn
/// to first order.
/// @param axial  one per member, tension positive [N]
/// @pre no hinge is condensed
void add_geometric_stiffness(StructuralModel& structure, const std::vector<double>& axial,
                             SecondOrderForm form);

}  // namespace trestle::structure
