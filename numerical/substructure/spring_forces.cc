#include "numerical/substructure/spring_forces.h"

namespace trestle::substructure {

SpringForces::SpringForces(const structure::StructuralModel& structure) {
  for (const structure::NonlinearSpring& spring : structure.springs)
    springs_.push_back({spring.elongation, spring.law->initial_stiffness()});
  predicted_ = force_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(springs_.size()));
}

double SpringForces::force(std::size_t spring, const Eigen::VectorXd& displacement,
                           const integration::NewtonForces* iterated) const noexcept {
  if (iterated != nullptr) return iterated->force(spring);
  const auto at = static_cast<Eigen::Index>(spring);
  return force_[at] + springs_[spring].initial_stiffness *
                          (elongation(spring, displacement) - predicted_[at]);
}

}  // namespace trestle::substructure
