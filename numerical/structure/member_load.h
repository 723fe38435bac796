#pragma once

#include <Eigen/Core>

#include "numerical/structure/assembled_member.h"

namespace trestle::structure {

/// End forces that do the same work as a load on a member: cubic shape functions across the
/// member, linear ones along it. In local axes, one entry per end coordinate, a hinge that
/// has no separate equation taken into account.
///
/// @param force  per length, in local axes [N/m]
Eigen::VectorXd uniform_load(const AssembledMember& member, const Eigen::Vector3d& force);

/// @param at     from the member's start [m]
/// @param force  in local axes [N]
Eigen::VectorXd point_load(const AssembledMember& member, double at,
                           const Eigen::Vector3d& force);

/// Adds these end forces to a load on equations.
void add_end_forces(const AssembledMember& member, const Eigen::VectorXd& forces,
                    Eigen::VectorXd& load);

/// Adds them to a load on held DOFs.
void add_held_end_forces(const AssembledMember& member, const Eigen::VectorXd& forces,
                         Eigen::VectorXd& held_load);

}  // namespace trestle::structure
