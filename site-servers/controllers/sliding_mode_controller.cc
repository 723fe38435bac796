#include "site-servers/controllers/sliding_mode_controller.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/setting_error.h"

namespace trestle::controllers {
namespace {

void require_above_zero(double value, const char* field) {
  if (value > 0.0 && std::isfinite(value)) return;
  std::ostringstream text;
  text << "is " << value << "; it must be a finite number above zero";
  throw SettingError(field, text.str());
}

}  // namespace

SlidingModeController::SlidingModeController(int actuators,
                                             const SlidingModeSettings& settings)
    : servo_(actuators, settings.servo),
      decay_(settings.reaching_rate * settings.servo.tick),
      reach_(settings.reaching_gain * settings.servo.tick),
      tolerance_(settings.tolerance),
      distance_(ActuatorVector::Zero(actuators)) {
  require_above_zero(settings.reaching_rate, "reaching_rate");
  if (!(settings.reaching_gain >= 0.0) || !std::isfinite(settings.reaching_gain))
    throw SettingError("reaching_gain", "is " + std::to_string(settings.reaching_gain) +
                                            "; it must be a finite number, not below zero");
  require_above_zero(settings.tolerance, "tolerance");
}

ActuatorVector SlidingModeController::drive(const ActuatorVector& command,
                                            const Measurement& sensed) noexcept {
  servo_.observe(command, sensed.displacement);
  distance_ += servo_.innovation_drive();
  distance_ *= 1.0 - std::min(1.0, decay_ + reach_ / (distance_.norm() + tolerance_));
  return servo_.apply(servo_.demand() + distance_);
}

void SlidingModeController::reset() noexcept {
  servo_.reset();
  distance_.setZero();
}

/// Within the boundary layer, |s| much less than its tolerance.
std::optional<LinearControllerModel> SlidingModeController::linearise(
    int /*actuators*/) const {
  return servo_.linearise(1.0 - std::min(1.0, decay_ + reach_ / tolerance_));
}

template <typename Self, typename Archive>
void SlidingModeController::visit(Self& self, Archive& archive) {
  archive(self.servo_, self.distance_);
}

void SlidingModeController::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SlidingModeController::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::controllers
