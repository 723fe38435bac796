#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "core/ports/compensator.h"

namespace trestle::compensators {

/// a₀, a₁ [s], a₂ [s²] of u = a₀·x + a₁·ẋ + a₂·ẍ.
using SeriesCoefficients = std::array<double, 3>;

/// As they are recorded.
inline Channels series_channels() {
  return {{"a0", ""}, {"a1_s", "s"}, {"a2_s2", "s2"}};
}

/// For all actuators, or one row for each.
class SeriesCoefficientsPerActuator {
 public:
  explicit SeriesCoefficientsPerActuator(std::vector<SeriesCoefficients> rows = {{1.0, 0.0,
                                                                                  0.0}})
      : rows_(std::move(rows)) {}

  const SeriesCoefficients& operator[](int actuator) const noexcept {
    return rows_.size() == 1 ? rows_.front() : rows_[static_cast<std::size_t>(actuator)];
  }

  /// @throws SettingError  if there are neither one row nor as many as actuators
  const SeriesCoefficientsPerActuator& checked(int actuators,
                                               const std::string& field) const {
    if (rows_.size() == 1 || rows_.size() == static_cast<std::size_t>(actuators))
      return *this;
    throw SettingError(field, "has " + std::to_string(rows_.size()) + " rows for " +
                                  std::to_string(actuators) +
                                  " actuators; give one for all, or one each");
  }

 private:
  std::vector<SeriesCoefficients> rows_;
};

}  // namespace trestle::compensators
