#include "site-servers/node/specimen_mass.h"

#include <cmath>

namespace trestle::site_node {

Eigen::MatrixXd square(const std::vector<double>& rows) {
  const auto dofs =
      static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(rows.size()))));
  // Symmetric: rows are columns.
  return Eigen::Map<const Eigen::MatrixXd>(rows.data(), dofs, dofs);
}

std::string refusal_of_mass(const Configure& configure) {
  const std::size_t dofs = configure.layout.size();
  const std::vector<double>& mass = configure.specimen_mass;
  if (mass.empty()) return {};
  if (mass.size() != dofs * dofs)
    return "the specimen's mass has " + std::to_string(mass.size()) + " numbers; " +
           std::to_string(dofs) + " interface DOFs need " + std::to_string(dofs * dofs);
  for (std::size_t i = 0; i < dofs; ++i)
    for (std::size_t j = 0; j < dofs; ++j)
      if (!std::isfinite(mass[i * dofs + j]) || mass[i * dofs + j] != mass[j * dofs + i])
        return "the specimen's mass is not symmetric, or holds what is no number";
  return {};
}

std::string refusal_of_inertia(const Configure& configure, std::size_t accelerometers) {
  const auto controlled = static_cast<std::size_t>(controlled_dofs(configure.layout));
  if (!configure.inertia_measured || configure.specimen_mass.empty() ||
      accelerometers == controlled)
    return {};
  return "the test says `inertia: measured`, and the rig measures " +
         std::to_string(accelerometers) + " accelerations of the specimen; " +
         std::to_string(controlled) +
         " are needed, one for each interface DOF (of a plug-in: auxiliary channels "
         "acceleration_1, ... in m/s2 or rad/s2)";
}

}  // namespace trestle::site_node
