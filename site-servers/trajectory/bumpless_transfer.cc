#include "site-servers/trajectory/bumpless_transfer.h"

#include <algorithm>
#include <cmath>

namespace trestle::trajectory {
namespace {

constexpr double kShortest = 0.1;  // [s]
constexpr double kShare = 0.1;     // of the limits
constexpr double kLongestReturn = 1e9;
constexpr double kFastest = 0.95;  // of the limits of rate, whatever is wanted
constexpr double kLatest = 2.0;    // times T: then the gate judges what is wanted
constexpr double kPatience = 0.1;  // for a jump to be over [s]

}  // namespace

BumplessTransfer::BumplessTransfer(const RigLimits& limits, double tick)
    : limits_(limits),
      tick_(tick),
      held_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))),
      last_(held_) {}

void BumplessTransfer::begin() noexcept {
  begins_ = true;
  done_ = 0.0;
}

void BumplessTransfer::cancel() noexcept {
  begins_ = false;
  length_ = 0.0;
}

/// In a tick.
double BumplessTransfer::most(Eigen::Index actuator) const noexcept {
  return kFastest * limits_[static_cast<std::size_t>(actuator)].rate * tick_;
}

bool BumplessTransfer::jumps(const ActuatorVector& way) const noexcept {
  for (Eigen::Index i = 0; i < way.size(); ++i)
    if (std::abs(way[i]) > most(i)) return true;
  return false;
}

/// @param distance  D. @param way  V·δt
void BumplessTransfer::plan(const ActuatorVector& distance,
                            const ActuatorVector& way) noexcept {
  double time = kShortest;
  for (Eigen::Index i = 0; i < way.size(); ++i) {
    const ActuatorLimits& limits = limits_[static_cast<std::size_t>(i)];
    const double far = std::abs(distance[i]);
    const double velocity = std::min(std::abs(way[i]), most(i)) / tick_;
    // Each of the two takes half of the acceleration.
    const double bend = 0.5 * kShare * limits.acceleration;
    time = std::max({time, 1.875 * far / (kShare * limits.rate),
                     std::sqrt(5.78 * far / bend), 4.6 * velocity / bend});
  }
  length_ = std::min(std::ceil(time / tick_), kLongestReturn);
}

ActuatorVector BumplessTransfer::pass(const ActuatorVector& wanted,
                                      const ActuatorVector& before) noexcept {
  if (!active() || !wanted.allFinite()) return wanted;  // the gate says so
  if (begins_) {
    const bool first = done_ == 0.0;
    const ActuatorVector way = first ? ActuatorVector(0.0 * wanted) : wanted - last_;
    last_ = wanted;
    done_ += 1.0;
    if (first || (jumps(way) && done_ * tick_ < kPatience)) return before;
    begins_ = false;
    held_ = before;
    done_ = 0.0;
    plan(wanted - before, way);
  }
  done_ += 1.0;
  const double s = done_ / length_;
  ActuatorVector command = wanted;
  if (s < 1.0)
    command += (1.0 - s * s * s * (10.0 - s * (15.0 - 6.0 * s))) * (held_ - wanted);
  const bool behind = s < kLatest && bound(command, before);
  if (s >= 1.0 && !behind) length_ = 0.0;
  return command;
}

/// One factor for all actuators: the command stays where the loading frame can be.
/// @returns whether one was too fast
bool BumplessTransfer::bound(ActuatorVector& command,
                             const ActuatorVector& before) const noexcept {
  double part = 1.0;
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const double way = std::abs(command[i] - before[i]);
    if (way > most(i)) part = std::min(part, most(i) / way);
  }
  if (part < 1.0) command = before + part * (command - before);
  return part < 1.0;
}

template <typename Self, typename Archive>
void BumplessTransfer::visit(Self& self, Archive& archive) {
  archive(self.begins_, self.done_, self.length_, self.held_, self.last_);
}

void BumplessTransfer::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void BumplessTransfer::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::trajectory
