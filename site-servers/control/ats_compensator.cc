#include "site-servers/control/ats_compensator.h"

#include <Eigen/Cholesky>
#include <cassert>
#include <cmath>
#include <string>

#include "core/types/setting_error.h"

namespace trestle {
namespace {

// Taylor series of a pure delay, in units of the expected delay.
const Eigen::Vector3d kPureDelay{1.0, 1.0, 0.5};
// How far adaptation may carry each coefficient away from that start.
const Eigen::Vector3d kReach{0.5, 1.0, 1.5};
// Pull towards the start, relative to the information: settles unexcited directions.
constexpr double kPull = 1e-4;
constexpr double kShortestMemory = 10.0;  // [ticks]

void require(bool holds, const char* field, double value, const std::string& right) {
  if (holds) return;
  throw SettingError(field,
                     std::string(field) + " is " + std::to_string(value) + "; " + right);
}

void shift_in(Eigen::Vector3d& history, double newest) noexcept {
  history = Eigen::Vector3d{history[1], history[2], newest};
}

}  // namespace

AtsCompensator::AtsCompensator(int actuators, const AtsSettings& settings)
    : tick_(settings.tick),
      expected_delay_(settings.expected_delay),
      forgetting_(1.0 - settings.tick / settings.memory),
      information_floor_(settings.excitation_floor * settings.excitation_floor) {
  assert(actuators > 0 && actuators <= kMaxActuators);
  assert(settings.tick > 0.0);
  const double shortest = kShortestMemory * settings.tick;
  require(settings.expected_delay > 0.0 && std::isfinite(settings.expected_delay),
          "expected_delay", settings.expected_delay, "must be above zero");
  require(settings.memory >= shortest && std::isfinite(settings.memory), "memory",
          settings.memory,
          "must be at least ten control ticks, " + std::to_string(shortest) + " s");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
  channels_.resize(static_cast<std::size_t>(actuators));
  reset();
}

ActuatorVector AtsCompensator::command(const Stroke& target, const ActuatorVector& measured,
                                       const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  assert(last_command.size() == measured.size());
  const double tau = expected_delay_;
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    if (!started_) {  // at rest where the rig stands: no motion to learn from
      channel.measured.setConstant(measured[actuator]);
      channel.commanded.setConstant(last_command[actuator]);
    }
    shift_in(channel.measured, measured[actuator]);
    shift_in(channel.commanded, last_command[actuator]);
    learn(channel);

    const Eigen::Vector3d series{target.displacement[actuator],
                                 tau * target.velocity[actuator],
                                 tau * tau * target.acceleration[actuator]};
    command[actuator] = channel.coefficients.dot(series);
  }
  started_ = true;
  return command;
}

void AtsCompensator::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.coefficients = kPureDelay;
    channel.information.setZero();
    channel.moment.setZero();
    channel.measured.setZero();
    channel.commanded.setZero();
  }
  started_ = false;
}

void AtsCompensator::save(SnapshotWriter& snapshot) const {
  for (const Channel& channel : channels_) {
    snapshot.add(channel.coefficients);
    snapshot.add(channel.information);
    snapshot.add(channel.moment);
    snapshot.add(channel.measured);
    snapshot.add(channel.commanded);
  }
  snapshot.add(started_ ? 1.0 : 0.0);
}

void AtsCompensator::restore(SnapshotReader& snapshot) {
  for (Channel& channel : channels_) {
    snapshot.fill(channel.coefficients);
    snapshot.fill(channel.information);
    snapshot.fill(channel.moment);
    snapshot.fill(channel.measured);
    snapshot.fill(channel.commanded);
  }
  started_ = snapshot.next() != 0.0;
}

double AtsCompensator::delay(int actuator) const noexcept {
  const Eigen::Vector3d& a = channels_[static_cast<std::size_t>(actuator)].coefficients;
  return expected_delay_ * a[1] / a[0];
}

double AtsCompensator::amplitude(int actuator) const noexcept {
  return 1.0 / channels_[static_cast<std::size_t>(actuator)].coefficients[0];
}

void AtsCompensator::learn(Channel& channel) const noexcept {
  // Central differences need a sample on either side, so the pair that teaches is the
  // middle one: tick n-2.
  const Eigen::Vector3d& m = channel.measured;
  const double velocity = (m[2] - m[0]) / (2.0 * tick_);
  const double acceleration = (m[2] - 2.0 * m[1] + m[0]) / (tick_ * tick_);
  const double tau = expected_delay_;
  const Eigen::Vector3d row{m[1], tau * velocity, tau * tau * acceleration};

  const double fresh = 1.0 - forgetting_;
  channel.information = forgetting_ * channel.information + fresh * row * row.transpose();
  channel.moment = forgetting_ * channel.moment + fresh * row * channel.commanded[1];
  if (channel.information(0, 0) <= information_floor_) return;

  const double pull = kPull * channel.information.trace();
  const Eigen::Matrix3d left = channel.information + pull * Eigen::Matrix3d::Identity();
  const Eigen::Vector3d right = channel.moment + pull * kPureDelay;
  channel.coefficients =
      left.ldlt().solve(right).cwiseMax(kPureDelay - kReach).cwiseMin(kPureDelay + kReach);
}

}  // namespace trestle
