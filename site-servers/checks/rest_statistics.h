#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/types/actuator_vector.h"

namespace trestle::checks {

/// Mean and spread of the readings of a rig that stands still, one per actuator.
class RestStatistics {
 public:
  void begin() noexcept { count_ = 0; }

  void add(const ActuatorVector& reading) noexcept {
    if (count_++ == 0) {
      first_ = lowest_ = highest_ = reading;
      apart_ = ActuatorVector::Zero(reading.size());
      return;
    }
    apart_ += reading - first_;
    lowest_ = lowest_.cwiseMin(reading);
    highest_ = highest_.cwiseMax(reading);
  }

  /// Readings that are all the same have themselves as mean, to the last bit.
  double mean(Eigen::Index i) const noexcept {
    return first_[i] + apart_[i] / static_cast<double>(count_);
  }

  /// Half of the range: of 16 normal readings 1.8 standard deviations. The mean of as many
  /// others differs by more than that once in a million times.
  double half_range(Eigen::Index i) const noexcept {
    return 0.5 * (highest_[i] - lowest_[i]);
  }

 private:
  ActuatorVector first_, apart_, lowest_, highest_;
  std::int64_t count_ = 0;
};

}  // namespace trestle::checks
