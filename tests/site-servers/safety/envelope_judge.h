#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/types/actuator_vector.h"
#include "core/types/fault.h"
#include "core/types/limits.h"
#include "core/types/motion.h"

namespace trestle::testing {

/// Looks at drives that have come out of a gate, and shares no code with it.
class EnvelopeJudge {
 public:
  EnvelopeJudge(const RigLimits& limits, double tick) : limits_(limits), tick_(tick) {}

  void start(const ActuatorVector& position) { last_ = before_ = position; }

  /// The rig was told to stop where it is.
  void rest() { before_ = last_; }

  const ActuatorVector& last() const { return last_; }

  /// A drive that has come out. @returns what is wrong with it, or nothing
  const char* violation(const ActuatorVector& drive) {
    if (drive.size() != last_.size()) return "wrong length";
    if (drive == last_) {  // a stop is always allowed
      before_ = last_;
      return nullptr;
    }
    for (Eigen::Index i = 0; i < drive.size(); ++i) {
      const ActuatorLimits& limit = limits_[static_cast<std::size_t>(i)];
      if (!std::isfinite(drive[i])) return "not finite";
      if (std::abs(drive[i]) > limit.displacement) return "displacement";
      if (rate(drive, i) > limit.rate * kSlack) return "rate";
      if (acceleration(drive, i) > limit.acceleration * kSlack + rounding(drive, i))
        return "acceleration";
    }
    before_ = last_;
    last_ = drive;
    return nullptr;
  }

  /// Whether a fault is one that this drive or this measurement really has.
  bool is_true(const Fault& fault, const ActuatorVector& drive,
               const Measurement& sensed) const {
    if (fault.kind == FaultKind::kNotFinite)
      return !whole(drive) || !whole(sensed.displacement) || !whole(sensed.force);
    if (fault.index < 0 || fault.index >= last_.size()) return false;
    const auto i = static_cast<Eigen::Index>(fault.index);
    const ActuatorLimits& limit = limits_[static_cast<std::size_t>(i)];
    switch (fault.kind) {
      case FaultKind::kDisplacementLimit:
        return tells(fault, std::abs(drive[i]), limit.displacement, 0.0);
      case FaultKind::kRateLimit:
        return tells(fault, rate(drive, i), limit.rate, 0.0);
      case FaultKind::kAccelerationLimit:
        return tells(fault, acceleration(drive, i), limit.acceleration, rounding(drive, i));
      case FaultKind::kForceLimit:
        return tells(fault, std::abs(sensed.force[i]), limit.force, 0.0);
      case FaultKind::kTrackingError:
        return tells(fault, std::abs(sensed.displacement[i] - last_[i]),
                     limit.tracking_error, 0.0);
      default:
        return false;
    }
  }

  /// Whether a gate has to hold this back, at the latest here, whatever the dwell says.
  bool forbids(const ActuatorVector& drive, const Measurement& sensed) const {
    if (!whole(drive) || !whole(sensed.displacement) || !whole(sensed.force)) return true;
    for (Eigen::Index i = 0; i < drive.size(); ++i) {
      const ActuatorLimits& limit = limits_[static_cast<std::size_t>(i)];
      if (std::abs(drive[i]) > limit.displacement || rate(drive, i) > limit.rate * kSlack ||
          acceleration(drive, i) > limit.acceleration * kSlack + rounding(drive, i) ||
          std::abs(sensed.force[i]) > limit.force)
        return true;
    }
    return false;
  }

 private:
  static constexpr double kSlack = 1.0 + 1e-12;

  bool whole(const ActuatorVector& values) const {
    if (values.size() != last_.size()) return false;
    for (Eigen::Index i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) return false;
    return true;
  }
  double rate(const ActuatorVector& drive, Eigen::Index i) const {
    return static_cast<double>(std::abs(static_cast<long double>(drive[i]) - last_[i]) /
                               tick_);
  }
  double acceleration(const ActuatorVector& drive, Eigen::Index i) const {
    const long double after = (static_cast<long double>(drive[i]) - last_[i]) / tick_;
    const long double before = (static_cast<long double>(last_[i]) - before_[i]) / tick_;
    return static_cast<double>(std::abs(after - before) / tick_);
  }
  double rounding(const ActuatorVector& drive, Eigen::Index i) const {
    const double largest =
        std::max({std::abs(drive[i]), 2.0 * std::abs(last_[i]), std::abs(before_[i])});
    return 2.0 * std::numeric_limits<double>::epsilon() * largest / (tick_ * tick_);
  }
  static bool tells(const Fault& fault, double value, double limit, double rounding) {
    return fault.limit == limit && fault.value > limit &&
           (fault.value == value ||
            std::abs(fault.value - value) <= 1e-12 * value + rounding);
  }

  const RigLimits& limits_;
  double tick_;
  ActuatorVector last_;
  ActuatorVector before_;
};

}  // namespace trestle::testing
