#include "adapters/simulated/springs_specimen.h"

#include <cassert>
#include <cmath>

namespace trestle::simulated {

SpringsSpecimen::SpringsSpecimen(
    std::vector<std::unique_ptr<materials::RestoringForce>> laws,
    const InterfaceVector& damping, const InterfaceVector& mass)
    : laws_(std::move(laws)), damping_(damping), mass_(mass) {
  assert(damping_.size() == dofs() && mass_.size() == dofs());
}

int SpringsSpecimen::dofs() const noexcept {
  return static_cast<int>(laws_.size());
}

Eigen::MatrixXd SpringsSpecimen::initial_stiffness() const {
  Eigen::VectorXd stiffness(dofs());
  for (int i = 0; i < dofs(); ++i)
    stiffness(i) = laws_[static_cast<std::size_t>(i)]->initial_stiffness();
  return stiffness.asDiagonal();
}

Eigen::MatrixXd SpringsSpecimen::elastic_stiffness() const {
  Eigen::MatrixXd stiffness = initial_stiffness();
  for (int i = 0; i < dofs(); ++i)
    if (std::isfinite(laws_[static_cast<std::size_t>(i)]->yield_force()))
      stiffness(i, i) = 0.0;
  return stiffness;
}

Eigen::MatrixXd SpringsSpecimen::damping() const {
  return damping_.asDiagonal();
}

Eigen::MatrixXd SpringsSpecimen::mass() const {
  return mass_.asDiagonal();
}

void SpringsSpecimen::prepare(double /*period*/) {
  for (const auto& law : laws_) law->reset();
}

InterfaceVector SpringsSpecimen::advance(const InterfaceVector& displacement,
                                         const InterfaceVector& velocity,
                                         const InterfaceVector& acceleration) noexcept {
  InterfaceVector force(dofs());
  for (Eigen::Index i = 0; i < force.size(); ++i)
    force(i) = laws_[static_cast<std::size_t>(i)]->advance(displacement(i)) +
               damping_(i) * velocity(i) + mass_(i) * acceleration(i);
  return force;
}

template <typename Self, typename Archive>
void SpringsSpecimen::visit(Self& self, Archive& archive) {
  for (auto& law : self.laws_) {
    archive(*law);
  }
}

void SpringsSpecimen::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SpringsSpecimen::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
