#pragma once

#include "core/base/time.h"

namespace trestle::record {

/// When what happened to one site in one step, all on the integrator's clock. Those of the
/// integrator are the same for all sites.
struct LedgerTimestamps {
  TimePoint begun{}, ready{}, recorded{}, sent{};                  ///< I0 I1 IR I2
  TimePoint received{}, started{}, driven{}, closed{}, replied{};  ///< S1 ... S5
  TimePoint answered{}, joined{}, used{};                          ///< I3 IJ I4
  Duration clock_bound{};
  bool in = false;  ///< a response came in time; else S1 to I3 and the bound say nothing
};

}  // namespace trestle::record
