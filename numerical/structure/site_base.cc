#include "numerical/structure/site_base.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>

namespace trestle::structure {
namespace {

/// Of `<node>.<dof>`: 0 to 2 along x, y, z, 3 to 5 about them.
Eigen::Index ground_direction(const std::string& dof) {
  constexpr std::array<const char*, 6> kNames{".x", ".y", ".z", ".rx", ".ry", ".rz"};
  const std::string name = dof.substr(dof.rfind('.'));
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i]) return static_cast<Eigen::Index>(i);
  return 0;
}

}  // namespace

SiteBase site_base(const StructuralModel& structure, const std::vector<int>& equations,
                   const std::string& support) {
  SiteBase base;
  const std::vector<HeldDof>& held = structure.held.dofs;
  // The ground of springs has a row of one name at each of their nodes, which move alike.
  const auto first_of = [&held](std::size_t at) {
    return std::none_of(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(at),
                        [&](const HeldDof& other) { return other.name == held[at].name; });
  };
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i].name.substr(0, held[i].name.rfind('.')) == support && first_of(i))
      base.rows.push_back(static_cast<int>(i));
  base.influence.resize(static_cast<Eigen::Index>(equations.size()),
                        static_cast<Eigen::Index>(base.rows.size()));
  for (std::size_t i = 0; i < base.rows.size(); ++i) {
    const HeldDof& dof = held[static_cast<std::size_t>(base.rows[i])];
    const Eigen::Index along = ground_direction(dof.name);
    for (std::size_t j = 0; j < equations.size(); ++j) {
      const Eigen::RowVectorXd of_ground = structure.influence.row(equations[j]);
      double motion = of_ground[along];
      // The ground turns about the origin, the support about its node.
      if (along >= 3)
        motion -= of_ground.head<3>().dot(Eigen::Vector3d::Unit(along - 3).cross(dof.at));
      base.influence(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = motion;
    }
  }
  return base;
}

}  // namespace trestle::structure
