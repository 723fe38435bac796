#include "numerical/integration/tangent_damping.h"

#include <cmath>

namespace trestle::integration {

TangentDamping::TangentDamping(const structure::StructuralModel& structure)
    : members_(structure) {
  if (!structure.details.tangent_factor) return;
  factor_ = *structure.details.tangent_factor;
  for (const structure::NonlinearSpring& spring : structure.springs)
    springs_.push_back({.elongation = spring.elongation,
                        .initial_stiffness = spring.law->initial_stiffness(),
                        .yields = std::isfinite(spring.law->yield_force())});
}

void TangentDamping::tried(std::size_t spring,
                           const materials::LawResponse& response) noexcept {
  Spring& own = springs_[spring];
  if (!own.yields) return;
  own.tried = factor_ * (response.stiffness - own.initial_stiffness);
  own.tried_partner = factor_ * response.beside;
}

void TangentDamping::commit() noexcept {
  for (Spring& spring : springs_) {
    spring.by_rate = spring.tried;
    spring.by_partner = spring.tried_partner;
  }
  members_.commit();
}

void TangentDamping::add(double factor, Eigen::VectorXd& sum) const noexcept {
  for (const Spring& spring : springs_)
    structure::add_force(spring.elongation, factor * spring.force, sum);
  members_.add(factor, sum);
}

void TangentDamping::save(SnapshotWriter& snapshot) const {
  for (const Spring& spring : springs_)
    snapshot(spring.by_rate, spring.by_partner, spring.force);
  members_.save(snapshot);
}

void TangentDamping::restore(SnapshotReader& snapshot) {
  for (Spring& spring : springs_) snapshot(spring.by_rate, spring.by_partner, spring.force);
  members_.restore(snapshot);
}

}  // namespace trestle::integration
