#include "studies/rehearsal/rig_monitor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace trestle::rehearsal {
namespace {

// Rounding that may be added to a limit that is met exactly.
constexpr double kRounding = 1e-9;
// More would only say the same again.
constexpr std::size_t kMostComplaints = 8;

std::string six_digits(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  return digits;
}

bool homewards(const ActuatorVector& from, const ActuatorVector& to) noexcept {
  return (to.cwiseAbs().array() <= from.cwiseAbs().array()).all();
}

}  // namespace

void RigMonitor::follow() noexcept {
  driven_ = true;
  if (duty_ == ExpectedState::kTripped) return;
  duty_ = ExpectedState::kFollow;
  moves_ = 0;
}

void RigMonitor::stop_motion() noexcept {
  if (duty_ != ExpectedState::kFollow) return;  // the way home is safe, too
  duty_ = ExpectedState::kStand;
  moves_ = 0;
}

void RigMonitor::ramp() noexcept {
  if (duty_ == ExpectedState::kTripped) return;
  duty_ = ExpectedState::kRamp;
}

void RigMonitor::trip() noexcept {
  if (!driven_ || duty_ == ExpectedState::kTripped) return;
  duty_ = ExpectedState::kTripped;
  moves_ = 0;
}

void RigMonitor::restart(Eigen::Index actuators) noexcept {
  last_ = ActuatorVector::Zero(actuators);
  seen_.resize(static_cast<std::size_t>(actuators), {0.0, 0.0});
  if (apart_.size() != actuators) apart_ = ActuatorVector::Zero(actuators);
  begin_life();
}

void RigMonitor::begin_life() noexcept {
  driven_ = false;
  duty_ = ExpectedState::kStand;
  moves_ = 0;
}

void RigMonitor::read(const ActuatorVector& displacement) noexcept {
  apart_ = apart_.cwiseMax((displacement - last_).cwiseAbs());
}

void RigMonitor::wrote(TimePoint now, const ActuatorVector& drive) {
  ++drives_;
  if (!drive.allFinite())
    return add_violation("a drive that is not finite reached the rig");
  judge_size(drive);
  judge_duty(now, drive);
  last_ = drive;
}

void RigMonitor::judge_size(const ActuatorVector& drive) {
  for (Eigen::Index i = 0; i < drive.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double size = std::abs(drive[i]);
    const double change = std::abs(drive[i] - last_[i]);
    seen_[at].displacement = std::max(seen_[at].displacement, size);
    seen_[at].change = std::max(seen_[at].change, change);
    if (at >= limits_.size()) continue;
    if (size > limits_[at].displacement * (1.0 + kRounding))
      add_violation("actuator " + std::to_string(i + 1) + " was driven to " +
                    six_digits(size) + ", its limit is " +
                    six_digits(limits_[at].displacement));
    if (change > limits_[at].change * (1.0 + kRounding) + kRounding * size)
      add_violation("the drive of actuator " + std::to_string(i + 1) + " jumped by " +
                    six_digits(change) + " in a control tick, from " +
                    six_digits(last_[i]) + " to " + six_digits(drive[i]) + "; " +
                    six_digits(limits_[at].change) + " is the most");
  }
}

void RigMonitor::judge_duty(TimePoint now, const ActuatorVector& drive) {
  if (drive == last_) return;
  switch (duty_) {
    case ExpectedState::kStand:
      return count_motion("it was to stand still");
    case ExpectedState::kTripped:
      return count_unsafe_motion("a fault", drive);
    case ExpectedState::kRamp:
      if (!homewards(last_, drive)) count_motion("it was to go home");
      return;
    case ExpectedState::kFollow:
      if (watchdog_ != Duration::max() && now - heard_ > watchdog_)
        count_unsafe_motion("the integrator's silence", drive);
      return;
  }
}

/// Not the safe action.
void RigMonitor::count_unsafe_motion(const char* after, const ActuatorVector& drive) {
  if (habits_.after_fault == FaultResponse::kUnloads) return;
  if (habits_.after_fault == FaultResponse::kGoesHome && homewards(last_, drive)) return;
  count_motion(after);
}

void RigMonitor::count_motion(const char* after) {
  worst_ticks_ = std::max(worst_ticks_, ++moves_);
  if (moves_ == kMostTicks + 1)
    add_violation("moved on for more than " + std::to_string(kMostTicks) +
                  " control ticks after " + after);
}

void RigMonitor::add_violation(const std::string& what) {
  if (complaints_.size() < kMostComplaints)
    complaints_.push_back("P8: the rig of " + site_ + ": " + what);
}

}  // namespace trestle::rehearsal
