#pragma once

#include <cstdint>

namespace trestle::site_node {

/// A task with a rig before its run, executed tick by tick by the driver of its control
/// loop.
class LoopErrand {
 public:
  virtual ~LoopErrand() = default;

  /// Neither waits nor allocates.
  /// @param number  0 at first, then one more each time
  /// @returns false if it was the last
  virtual bool tick(std::int64_t number) noexcept = 0;
  /// Returns false if it only reads the rig.
  virtual bool drives() const noexcept { return true; }
};

}  // namespace trestle::site_node
