#include "numerical/substructure/hinge_record.h"

#include <algorithm>

namespace trestle::substructure {

HingeRecord::HingeRecord(const std::vector<std::string>& members,
                         const structure::StructuralModel& structure) {
  for (const std::string& member : members)
    for (std::size_t i = 0; i < structure.springs.size(); ++i) {
      const structure::NonlinearSpring& spring = structure.springs[i];
      if (spring.member != member) continue;
      hinges_.push_back({i, spring.elongation, spring.law->initial_stiffness()});
      const std::string name = member + "." + spring.end;
      channels_.push_back({name + ".hinge_rad", "rad"});
      channels_.push_back({name + ".hinge_Nm", "N.m"});
    }
  if (hinges_.empty()) return;
  predicted_ = force_ =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(structure.springs.size()));
}

void HingeRecord::write(const Eigen::VectorXd& displacement,
                        const integration::CondensedNewton* iterated,
                        std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const Hinge& hinge : hinges_) {
    const double rotation = structure::motion_of(hinge.rotation, displacement);
    const auto spring = static_cast<Eigen::Index>(hinge.spring);
    row[at++] = rotation;
    row[at++] = iterated != nullptr ? iterated->force(hinge.spring)
                                    : force_[spring] + hinge.initial_stiffness *
                                                           (rotation - predicted_[spring]);
  }
}

}  // namespace trestle::substructure
