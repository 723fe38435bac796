#include "site-servers/node/specimen_mass.h"

#include <cmath>

namespace trestle {

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

}  // namespace trestle
