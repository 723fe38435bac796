#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "numerical/structure/structural_model.h"
#include "numerical/substructure/structural_substructure.h"

namespace trestle::config {
class Test;
}

namespace trestle::composition {

/// Finds the equilibrium with gravity, and the motion at time 0.
///
/// @param gravity     load of gravity; size zero: none
/// @param parts       the specimens, by their initial stiffness
/// @param interfaces  one per specimen
/// @throws SettingError if the structure cannot carry gravity, or an initial motion names
///         no DOF with an equation, or would make a rig jump
substructure::InitialState make_initial_state(
    const config::Test& test, const structure::StructuralModel& structure,
    const Eigen::VectorXd& gravity, const std::vector<structure::ExperimentalPart>& parts,
    const std::vector<substructure::SiteInterface>& interfaces);

}  // namespace trestle::composition
