#pragma once

#include "core/base/time.h"

namespace trestle {

/// Measures the time since the start of the run, and lets it pass. Only runners use a
/// clock; nodes receive `now` as an argument. Thread: that of the runner.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Returns the time since the start of the run. Never decreases.
  virtual TimePoint now() const noexcept = 0;

  /// Returns the total time for which the host was suspended, which now() does not include.
  /// Never larger than the true time; zero if it is unknown.
  virtual Duration asleep() const noexcept { return Duration::zero(); }

  /// Waits until `until`, or until an event that a node may wait for.
  virtual void advance_to(TimePoint until) noexcept = 0;
};

}  // namespace trestle
