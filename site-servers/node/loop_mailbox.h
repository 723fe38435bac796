#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/base/spsc_queue.h"
#include "core/base/time.h"
#include "site-servers/node/loop_messages.h"
#include "site-servers/node/state_exchange.h"

namespace trestle::site_node {

/// The two ways between a site's node and its control thread: bounded queues, in whose
/// places messages are filled and read, and a few atomic values. Neither thread ever waits
/// for the other, or allocates.
class LoopMailbox {
 public:
  LoopMailbox();

  /// Loop and rig as they were when an answer was made: for both threads.
  StateExchange& states() noexcept { return states_; }

  // --- the node's thread ---

  /// @returns false if there is no room: nothing was done
  bool push_command(const LoopCommand& command) noexcept;
  /// The same.
  bool push_step(const StepCommand& command, const StepTimes& times) noexcept;
  /// Keeps a step in the place of the next one. The control thread does not see it before
  /// push_kept_step(); until then another step takes its place.
  /// @returns false if there is no room: nothing was done
  bool keep_step(const StepCommand& command, const StepTimes& times) noexcept;
  /// @pre keep_step(), and no step was pushed since
  void push_kept_step() noexcept;
  const LoopEvent* front_event() const noexcept { return events_.front(); }
  void pop_event() noexcept { events_.pop(); }
  /// A valid message of the session came.
  void message_received(TimePoint now) noexcept;
  /// When the next end-of-step measurement is expected, on the site's clock; max: not
  /// known.
  TimePoint response_expected_at() const noexcept;
  /// The loop holds by itself: the integrator was silent.
  bool watchdog_expired() const noexcept {
    return watchdog_expired_.load(std::memory_order_relaxed);
  }
  void reset_watchdog() noexcept {
    watchdog_expired_.store(false, std::memory_order_relaxed);
  }
  /// A fault is latched, and the safe action has done what it does.
  bool at_rest() const noexcept { return at_rest_.load(std::memory_order_acquire); }
  /// Returns true if the rig was requested to hold, or its safe action is over, and a
  /// control cycle has been completed since.
  bool holds() const noexcept { return holds_.load(std::memory_order_acquire); }
  /// A safe action is on its way.
  bool acts_safely() const noexcept { return acts_safely_.load(std::memory_order_acquire); }

  // --- the control thread ---

  /// The next entry of commands and steps, in the order in which they were pushed.
  struct Arrival {
    const LoopCommand* command = nullptr;  ///< until pop_command()
    bool step = false;                     ///< until queue_step() or drop_step()
  };
  Arrival next_arrival() const noexcept;
  void pop_command() noexcept { commands_.pop(); }
  /// It waits for its turn behind those that are queued.
  void queue_step() noexcept { ++queued_; }
  /// It is never executed.
  void drop_step() noexcept;
  /// The oldest queued step, or null.
  const StepCommandItem* front_step() const noexcept;
  void pop_step() noexcept;
  /// Gives up all queued steps.
  void clear_steps() noexcept;

  /// The place of the next event; null: there is no room. To be filled, then published.
  LoopEvent* new_event() noexcept { return events_.place(); }
  void publish_event() noexcept { events_.publish(); }
  /// There is room for an event that only the record wants to know of.
  bool has_room_to_spare() const noexcept;
  TimePoint heard_at() const noexcept;
  void expect_response(TimePoint at) noexcept;
  void expire_watchdog() noexcept {
    watchdog_expired_.store(true, std::memory_order_relaxed);
  }
  void set_at_rest(bool rests) noexcept {
    at_rest_.store(rests, std::memory_order_release);
  }
  void set_motion(bool holds, bool acts_safely) noexcept;

 private:
  SpscQueue<LoopCommand> commands_;
  SpscQueue<StepCommandItem> steps_;
  SpscQueue<LoopEvent> events_;
  StateExchange states_;
  std::uint64_t sequence_ = 0;  // the node's thread
  std::size_t queued_ = 0;      // the control thread: of steps_, from the oldest on
  std::atomic<std::int64_t> heard_{0};
  std::atomic<std::int64_t> response_expected_;
  std::atomic<bool> watchdog_expired_{false};
  std::atomic<bool> at_rest_{false};
  std::atomic<bool> holds_{false};
  std::atomic<bool> acts_safely_{false};
};

}  // namespace trestle::site_node
