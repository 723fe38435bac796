#include "adapters/simulated/independent_actuators.h"

#include <cassert>

namespace trestle::simulated {

IndependentActuators::IndependentActuators(
    std::vector<std::unique_ptr<ActuatorModel>> models)
    : models_(std::move(models)) {
  for ([[maybe_unused]] const auto& model : models_) assert(model->actuators() == 1);
}

int IndependentActuators::actuators() const noexcept {
  return static_cast<int>(models_.size());
}

void IndependentActuators::prepare(double tick) {
  for (const auto& model : models_) model->prepare(tick);
}

void IndependentActuators::advance(const ActuatorVector& drive,
                                   ActuatorMotion& stroke) noexcept {
  ActuatorMotion one = ActuatorMotion::zero(1);
  for (Eigen::Index i = 0; i < drive.size(); ++i) {
    models_[static_cast<std::size_t>(i)]->advance(drive.segment(i, 1), one);
    stroke.displacement(i) = one.displacement(0);
    stroke.velocity(i) = one.velocity(0);
    stroke.acceleration(i) = one.acceleration(0);
  }
}

template <typename Self, typename Archive>
void IndependentActuators::visit(Self& self, Archive& archive) {
  for (auto& model : self.models_) {
    archive(*model);
  }
}

void IndependentActuators::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void IndependentActuators::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
