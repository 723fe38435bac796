#pragma once

#include <functional>

namespace trestle::pretest {

/// How far a loop can be delayed.
struct DelayMargin {
  double delay = 0.0;  ///< the largest further delay up to which it stays stable [s]
  /// Stable at every delay that was tried, the last of them `delay`.
  bool at_least = false;
};

/// The delay that is tried after `ticks` [ticks]: one more up to 16, a twelfth more further
/// on.
double next_trial_delay(double ticks) noexcept;

/// The smallest delay at which a loop turns unstable: tick by tick up to 16 ticks, in steps
/// of a twelfth further on, then by halving down to 1/256 of a tick. A gap of stability or
/// instability narrower than these steps is not seen.
/// @param unstable_at  whether the loop with so much further delay [s] is unstable
/// @param tick         [s], > 0
/// @param most         further delay that is tried last [ticks]
/// @returns 0 also where any delay, down to 1/1024 of a tick, is too much
DelayMargin delay_margin(const std::function<bool(double)>& unstable_at, double tick,
                         double most);

}  // namespace trestle::pretest
