#pragma once

#include "core/math/low_pass.h"

namespace trestle::compensators {

/// Butterworth low-pass of the signals from which a compensator learns, the same for both.
struct AdaptationFilter {
  double frequency = 0.0;  ///< corner [Hz]; 0: no filter
  int order = 4;           ///< 1 ... 8
};

/// @throws SettingError  by the path of the field: `filter.frequency`
math::LowPass make_low_pass(const AdaptationFilter& filter, double tick);

}  // namespace trestle::compensators
