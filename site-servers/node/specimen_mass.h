#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "core/types/message.h"

namespace trestle::site_node {

/// Configure::specimen_mass as a matrix over all interface DOFs; size zero: none.
Eigen::MatrixXd square(const std::vector<double>& rows);

/// Why the mass that a site's answers shall leave out is none, or empty.
std::string refusal_of_mass(const Configure& configure);

/// Returns why the inertia of that mass cannot be removed as the test requests, or empty.
/// @param accelerometers  number in the rig (SiteAdapter::accelerations)
std::string refusal_of_inertia(const Configure& configure, std::size_t accelerometers);

}  // namespace trestle::site_node
