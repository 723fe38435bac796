#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/types/actuator_vector.h"

namespace trestle::record {

/// The part of a site's response that is not in the columns of its step, and the progress
/// of its rig.
struct ClosingRow {
  TimePoint measured_at{};     ///< session time of the end-of-step measurement
  std::int64_t ticks = 0;      ///< drives written up to here
  bool estimated = false;      ///< the compensator has an opinion
  ActuatorVector delay{};      ///< by it; size zero: none [s]
  ActuatorVector amplitude{};  ///< the same: measured over commanded
};

}  // namespace trestle::record
