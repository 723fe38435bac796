#include "site-servers/controllers/pid_controller.h"

#include <cassert>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/setting_error.h"

namespace trestle::controllers {
namespace {

void require_gain(double gain, const char* field) {
  if (gain >= 0.0 && std::isfinite(gain)) return;
  throw SettingError(field, std::string(field) + " is " + std::to_string(gain) +
                                "; a gain must be a finite number, not below zero");
}

}  // namespace

PidController::PidController(int actuators, const PidSettings& settings)
    : settings_(settings),
      fresh_(settings.filter > 0.0
                 ? -std::expm1(-2.0 * std::numbers::pi * settings.filter * settings.tick)
                 : 1.0),
      error_(ActuatorVector::Zero(actuators)),
      error_sum_(ActuatorVector::Zero(actuators)),
      derivative_(ActuatorVector::Zero(actuators)) {
  assert(actuators > 0 && actuators <= kMaxActuators);
  assert(settings.tick > 0.0);
  require_gain(settings.proportional, "proportional");
  require_gain(settings.integral, "integral");
  require_gain(settings.derivative, "derivative");
  require_gain(settings.filter, "filter");
  require_gain(settings.command_gain, "command_gain");
  if (settings.command_gain != 1.0 && !(settings.integral > 0.0))
    throw SettingError("command_gain",
                       "command_gain is " + std::to_string(settings.command_gain) +
                           " without an integral; the rig would never reach its command: "
                           "give integral, or leave command_gain at 1");
}

ActuatorVector PidController::drive(const ActuatorVector& command,
                                    const Measurement& sensed) noexcept {
  assert(command.size() == error_.size());
  assert(sensed.displacement.size() == error_.size());
  const ActuatorVector error = command - sensed.displacement;
  if (!started_ && settings_.command_gain != 1.0)
    error_sum_ = (1.0 - settings_.command_gain) / settings_.integral * sensed.displacement;
  error_sum_ += settings_.tick * error;
  if (started_) {
    const ActuatorVector raw = (error - error_) / settings_.tick;
    derivative_ += fresh_ * (raw - derivative_);
  }
  error_ = error;
  started_ = true;
  return settings_.command_gain * command + settings_.proportional * error +
         settings_.integral * error_sum_ + settings_.derivative * derivative_;
}

void PidController::reset() noexcept {
  error_.setZero();
  error_sum_.setZero();
  derivative_.setZero();
  started_ = false;
}

std::optional<LinearControllerModel> PidController::linearise(int actuators) const {
  using Eigen::MatrixXd;
  // States of each actuator, in three groups: error of the last tick, its sum, and its
  // rate.
  const Eigen::Index m = actuators;
  const MatrixXd one = MatrixXd::Identity(m, m);
  MatrixXd error(m, 2 * m);
  error << one, -one;
  const double rate = fresh_ / settings_.tick;
  LinearControllerModel form{.A = MatrixXd::Zero(3 * m, 3 * m),
                             .B = MatrixXd(3 * m, 2 * m),
                             .C = MatrixXd::Zero(m, 3 * m),
                             .D = MatrixXd::Zero(m, 2 * m)};
  form.A.block(m, m, m, m) = one;
  form.A.block(2 * m, 0, m, m) = -rate * one;
  form.A.block(2 * m, 2 * m, m, m) = (1.0 - fresh_) * one;
  form.B << error, settings_.tick * error, rate * error;
  form.C.middleCols(m, m) = settings_.integral * form.A.block(m, m, m, m);
  form.C += settings_.derivative * form.A.bottomRows(m);
  form.D.leftCols(m) = settings_.command_gain * one;
  form.D += settings_.proportional * error + settings_.integral * form.B.middleRows(m, m) +
            settings_.derivative * form.B.bottomRows(m);
  return form;
}

template <typename Self, typename Archive>
void PidController::visit(Self& self, Archive& archive) {
  archive(self.error_, self.error_sum_, self.derivative_, self.started_);
}

void PidController::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void PidController::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::controllers
