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

}  // namespace

BumplessTransfer::BumplessTransfer(const RigLimits& limits, double tick)
    : limits_(limits),
      tick_(tick),
      difference_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))),
      way_(difference_) {}

void BumplessTransfer::begin() noexcept {
  begins_ = true;
  done_ = 0.0;
}

void BumplessTransfer::cancel() noexcept {
  begins_ = false;
  length_ = 0.0;
}

double BumplessTransfer::ticks_for(Eigen::Index actuator) const noexcept {
  const ActuatorLimits& limits = limits_[static_cast<std::size_t>(actuator)];
  const double distance = std::abs(difference_[actuator]);
  const double velocity = std::abs(way_[actuator]) / tick_;
  // Each of the two takes half of the acceleration.
  const double bend = 0.5 * kShare * limits.acceleration;
  const double time = std::max({kShortest, 2.11 * distance / (kShare * limits.rate),
                                std::sqrt(20.0 * distance / bend), 8.0 * velocity / bend});
  return std::min(std::ceil(time / tick_), kLongestReturn);
}

ActuatorVector BumplessTransfer::pass(const ActuatorVector& wanted,
                                      const ActuatorVector& before) noexcept {
  if (begins_ && done_ == 0.0) {
    done_ = 1.0;
    difference_ = before - wanted;
    way_ = wanted;
    return before;
  }
  if (begins_) {
    begins_ = false;
    way_ = wanted - way_;
    length_ = 0.0;
    for (Eigen::Index i = 0; i < way_.size(); ++i)
      length_ = std::max(length_, ticks_for(i));
    done_ = 0.0;
  }
  if (!(length_ > 0.0)) return wanted;
  done_ += 1.0;
  const double s = done_ / length_;
  ActuatorVector command = wanted;
  if (s < 1.0)
    command += std::pow(1.0 - s, 4) * ((1.0 + 4.0 * s) * difference_ - done_ * way_);
  const bool behind = s < kLatest && bound(command, before);
  if (s >= 1.0 && !behind) length_ = 0.0;
  return command;
}

/// A value that is no number stays one: the gate says so.
/// @returns whether one was too fast
bool BumplessTransfer::bound(ActuatorVector& command,
                             const ActuatorVector& before) const noexcept {
  bool behind = false;
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const double most = kFastest * limits_[static_cast<std::size_t>(i)].rate * tick_;
    const double way = command[i] - before[i];
    if (!(std::abs(way) > most)) continue;
    command[i] = before[i] + std::copysign(most, way);
    behind = true;
  }
  return behind;
}

template <typename Self, typename Archive>
void BumplessTransfer::visit(Self& self, Archive& archive) {
  archive(self.begins_, self.done_, self.length_, self.difference_, self.way_);
}

void BumplessTransfer::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void BumplessTransfer::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::trajectory
