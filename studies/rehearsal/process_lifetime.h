#pragma once

#include <cstdint>
#include <limits>

namespace trestle::rehearsal {

/// Calls to the outside that all nodes of a lab have made: how far a scenario is, where
/// virtual time may stand still.
using CallCount = std::int64_t;

/// Whether a node is alive, as its record, its rig and its end of the bus see it. A node
/// that is killed during a tick continues to the end of the tick; its calls from the fatal
/// one on have no effect.
class ProcessLifetime {
 public:
  ProcessLifetime() : ProcessLifetime(own_) {}
  /// @param made  counts the calls of several nodes; outlives this
  explicit ProcessLifetime(CallCount& made) : made_(&made) {}
  ProcessLifetime(const ProcessLifetime&) = delete;
  ProcessLifetime& operator=(const ProcessLifetime&) = delete;

  /// The node makes a call to the outside. @returns false if it is dead: do nothing
  bool call() noexcept {
    if (*made_ >= fatal_) fatal_ = kDead;
    if (fatal_ == kDead) return false;
    ++*made_;
    return true;
  }

  bool alive() const noexcept { return fatal_ != kDead; }

  void end() noexcept { fatal_ = kDead; }
  /// The node ends when all nodes together have made `calls` calls. @pre calls >= 0
  void terminate_at_call(CallCount calls) noexcept { fatal_ = calls; }

 private:
  static constexpr CallCount kDead = -1;

  CallCount own_ = 0;
  CallCount* made_;
  CallCount fatal_ = std::numeric_limits<CallCount>::max();
};

}  // namespace trestle::rehearsal
