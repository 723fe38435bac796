#pragma once

#include "core/base/time.h"

namespace trestle {

/// Time since the run began, and the passing of it. Only runners ask it; nodes are handed
/// `now`.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Never goes backwards.
  virtual TimePoint now() const noexcept = 0;

  /// How long the host has slept in all, which now() does not count; never more than it
  /// has. Zero where nobody knows.
  virtual Duration asleep() const noexcept { return Duration::zero(); }

  /// Lets time pass until `until`, or less where something happened that a node may wait
  /// for.
  virtual void pass(TimePoint until) noexcept = 0;
};

}  // namespace trestle
