#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::compensators {

/// A setting with one value for all actuators, or one for each.
class PerActuator {
 public:
  PerActuator(double all) : values_{all} {}  // NOLINT: implicit on purpose
  explicit PerActuator(std::vector<double> values) : values_(std::move(values)) {}

  double operator[](int actuator) const noexcept {
    return values_.size() == 1 ? values_.front()
                               : values_[static_cast<std::size_t>(actuator)];
  }

  /// @throws SettingError  if there are neither one value nor as many as actuators
  const PerActuator& checked(int actuators, const std::string& field) const {
    if (values_.size() == 1 || values_.size() == static_cast<std::size_t>(actuators))
      return *this;
    throw SettingError(field, field + " has " + std::to_string(values_.size()) +
                                  " values for " + std::to_string(actuators) +
                                  " actuators; give one for all, or one each");
  }

 private:
  std::vector<double> values_;
};

}  // namespace trestle::compensators
