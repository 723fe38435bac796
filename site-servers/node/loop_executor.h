#pragma once

#include <string>
#include <vector>

#include "core/base/time.h"
#include "site-servers/node/ticked_loop.h"

namespace trestle::site_node {

/// Calls a loop when its ticks are due.
class LoopExecutor {
 public:
  virtual ~LoopExecutor() = default;

  /// @param loop  outlives end()
  virtual void begin(TickedLoop& loop) = 0;
  /// Called by the node's thread with each tick of the node.
  /// @returns when it must be called again
  virtual TimePoint tick(TimePoint now) noexcept = 0;
  /// Stops the ticks of the loop.
  /// @param at_most  longest wait for a thread that is in a call of the rig
  /// @returns false if the thread has not returned: it still uses the loop. May be called
  ///          again
  virtual bool end(Duration at_most) noexcept = 0;
  /// The same, for longer than any tick that returns.
  bool end() noexcept { return end(kPatience); }

  static constexpr Duration kPatience = std::chrono::seconds(1);
  /// Requests that the host did not grant, one human-readable sentence each.
  virtual std::vector<std::string> warnings() const { return {}; }
};

/// Ticks on the node's own thread: under the virtual clock, where no thread waits.
class InlineExecutor final : public LoopExecutor {
 public:
  void begin(TickedLoop& loop) override { loop_ = &loop; }
  TimePoint tick(TimePoint now) noexcept override {
    return loop_ == nullptr ? TimePoint::max() : loop_->tick(now);
  }
  using LoopExecutor::end;
  bool end(Duration /*at_most*/) noexcept override {
    loop_ = nullptr;
    return true;
  }

 private:
  TickedLoop* loop_ = nullptr;
};

}  // namespace trestle::site_node
