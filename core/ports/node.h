#pragma once

#include "core/base/time.h"

namespace trestle {

/// The integrator or one site: a state machine that a runner drives.
///
/// Called by one thread. A tick does all that is due, never waits, and during the run
/// neither allocates, locks nor logs.
class Node {
 public:
  virtual ~Node() = default;

  /// @param now  time of the session layer: deadlines and heartbeats; in lock-step it
  /// touches
  ///             no record
  /// @returns    latest time at which it must be called again; a message may call it
  /// earlier.
  ///             `now` itself: there is more to do at once
  virtual TimePoint tick(TimePoint now) = 0;

  /// Nothing more will ever be due.
  virtual bool finished() const noexcept = 0;
};

}  // namespace trestle
