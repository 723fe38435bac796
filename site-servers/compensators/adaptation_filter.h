#pragma once

#include "core/math/low_pass.h"

namespace trestle {

/// What a compensator learns from passes this Butterworth low-pass, both sides alike.
struct AdaptationFilter {
  double frequency = 0.0;  ///< corner [Hz]; 0: no filter
  int order = 4;           ///< 1 ... 8
};

/// @throws SettingError  by the path of the field: `filter.frequency`
LowPass make_low_pass(const AdaptationFilter& filter, double tick);

}  // namespace trestle
