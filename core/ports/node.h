#pragma once

#include "core/base/time.h"

namespace trestle {

/// The integrator or one site: a state machine that a runner drives.
///
/// Thread: the runner's alone. tick() does all work that is due and never waits. During the
/// run it does not allocate, lock or log.
class Node {
 public:
  virtual ~Node() = default;

  /// Does the work that is due.
  /// @param now  time of the session layer, which decides deadlines and heartbeats; in
  /// lock-step it
  ///             does not affect any record
  /// @returns    latest time of the next call; a message may cause an earlier call. `now`:
  /// call again
  ///             immediately
  virtual TimePoint tick(TimePoint now) = 0;

  /// Returns true if no work will be due any more.
  virtual bool finished() const noexcept = 0;
};

}  // namespace trestle
