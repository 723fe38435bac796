#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/types/actuator_vector.h"

namespace trestle::site_node {

/// A small sine of one actuator after the other about the drive in force, A w(t)
/// sin(2πt/T), with the amplitude w raised over the first period and lowered over the last
/// one by 10s³ − 15s⁴ + 6s⁵: no jump of drive, rate or acceleration. Between them the rig
/// swings in for a period, and is measured over the next ones.
class RigSine {
 public:
  static constexpr std::int64_t kMeasured = 4;             ///< periods
  static constexpr std::int64_t kPeriods = kMeasured + 3;  ///< of each actuator
  /// Bounds: the peak rate is at most this times A/T, the peak acceleration A/T². Of the
  /// product: |w'| ≤ 15/8 / T and |w''| ≤ 10/√3 / T².
  static constexpr double kPeakRate = 2.0 * std::numbers::pi + 15.0 / 8.0;
  static constexpr double kPeakAcceleration = 4.0 * std::numbers::pi * std::numbers::pi +
                                              2.0 * 2.0 * std::numbers::pi * 15.0 / 8.0 +
                                              10.0 / std::numbers::sqrt3;

  /// @param from       drive in force [m | rad]
  /// @param amplitude  one per actuator [m | rad]; zero: it stays
  /// @param period     T [ticks], > 0
  RigSine(const ActuatorVector& from, const ActuatorVector& amplitude, std::int64_t period)
      : from_(from), amplitude_(amplitude), period_(period) {}

  std::int64_t period() const noexcept { return period_; }
  std::int64_t ticks() const noexcept {
    return kPeriods * period_ * (amplitude_.array() > 0.0).count();
  }
  /// The actuator that moves in this tick; -1: none does.
  int moving(std::int64_t tick) const noexcept {
    std::int64_t before = tick / (kPeriods * period_);
    if (tick < 0) return -1;
    for (Eigen::Index i = 0; i < amplitude_.size(); ++i)
      if (amplitude_[i] > 0.0 && before-- == 0) return static_cast<int>(i);
    return -1;
  }
  /// The rig has swung in, and the amplitude is whole.
  bool measured(std::int64_t tick) const noexcept {
    const std::int64_t part = tick % (kPeriods * period_) / period_;
    return tick >= 0 && part >= 2 && part < 2 + kMeasured;
  }
  /// Returns the drives after this number of ticks; before the first and after the last
  /// exactly the drive in force.
  ActuatorVector at(std::int64_t tick) const noexcept {
    ActuatorVector drive = from_;
    const int i = moving(tick);
    if (i < 0) return drive;
    const double t = static_cast<double>(tick % (kPeriods * period_)) /
                     static_cast<double>(period_);  // [T]
    const double s = std::min({t, static_cast<double>(kPeriods) - t, 1.0});
    const double whole = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    drive[i] += amplitude_[i] * whole * std::sin(2.0 * std::numbers::pi * t);
    return drive;
  }

 private:
  ActuatorVector from_;
  ActuatorVector amplitude_;
  std::int64_t period_;
};

}  // namespace trestle::site_node
