#include "numerical/substructure/hinge_record.h"

namespace trestle::substructure {

HingeRecord::HingeRecord(const std::vector<std::string>& members,
                         const structure::StructuralModel& structure) {
  for (const std::string& member : members)
    for (std::size_t i = 0; i < structure.springs.size(); ++i) {
      const structure::NonlinearSpring& spring = structure.springs[i];
      if (spring.member != member) continue;
      hinges_.push_back(i);
      const std::string name = member + "." + spring.end;
      channels_.push_back({name + ".hinge_rad", "rad"});
      channels_.push_back({name + ".hinge_Nm", "N.m"});
    }
}

void HingeRecord::write(const Eigen::VectorXd& displacement, const SpringForces& springs,
                        const integration::NewtonForces* iterated,
                        std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const std::size_t hinge : hinges_) {
    row[at++] = springs.elongation(hinge, displacement);
    row[at++] = springs.force(hinge, displacement, iterated);
  }
}

}  // namespace trestle::substructure
