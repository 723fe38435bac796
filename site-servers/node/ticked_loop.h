#pragma once

#include "core/base/time.h"

namespace trestle::site_node {

/// A loop over control ticks that a LoopExecutor calls when they are due: that of a test,
/// or that of a command to the rig between two tests.
class TickedLoop {
 public:
  virtual ~TickedLoop() = default;

  /// On the control thread: does all that is due. Neither waits nor allocates.
  /// @returns when it must be called again; max: at the next order
  virtual TimePoint tick(TimePoint now) noexcept = 0;
};

}  // namespace trestle::site_node
