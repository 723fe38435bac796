#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "observe/live/screen_text.h"
#include "observe/live/test_view.h"

namespace trestle::live {

struct ActuatorTableStyle {
  std::size_t width = 80;
  bool plain = false;         ///< ASCII bars
  std::size_t first = 0;      ///< actuator in the first row
  std::size_t rows = 1000;    ///< of actuators, at most
  std::size_t marked = 1000;  ///< actuator that is marked; none if there is no such one
};

/// A row of headings, then one per actuator: target, measurement, force, delay, error and
/// the nearest limit with a bar. Columns that do not fit in the width are left out, the
/// least important first.
std::vector<ScreenRow> actuator_table(const std::vector<ActuatorView>& actuators,
                                      const ActuatorTableStyle& style);

}  // namespace trestle::live
