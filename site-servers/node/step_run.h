#pragma once

#include <cstdint>

#include "core/ports/clock.h"
#include "site-servers/node/control_loop.h"
#include "site-servers/node/loop_mailbox.h"
#include "site-servers/node/tick_grid.h"

namespace trestle::site_node {

/// Saves the state of loop and rig after a step, beside its response.
struct KeepState {
  bool keeps = true;                 ///< the node saves it after each step
  const SiteAdapter* rig = nullptr;  ///< simulated: its state is kept, too; null: none
};

/// The counters of a run's steps.
struct StepCounts {
  std::int64_t missed = 0;  ///< steps that were due and not there
  std::int64_t slowed = 0;  ///< control ticks slowed down without a target
  std::int64_t held = 0;    ///< control ticks that stood still without a target
};

/// The step under way of a timed control loop: from the order that opens it, or the time at
/// which it was missed, to the event that answers it. Lives on the control thread.
class StepRun {
 public:
  /// All outlive this. @param grid defines the length of ticks
  StepRun(ControlLoop& loop, LoopMailbox& mailbox, const TickGrid& grid, const Clock& clock,
          const KeepState& keep);

  /// One read of the rig; one drive to it. @returns the fault that is latched then
  Fault sense(bool clears = false) noexcept { return loop_.sense(tick_time(), clears); }
  Fault act() noexcept;

  /// Opens the oldest queued step. @param ticks  until its target, for a motion that can
  /// choose @returns whether one is open now
  bool open(int ticks) noexcept;
  /// This step was missed; it waits for its read as if it were executed.
  void miss(std::int64_t step) noexcept;
  /// Closes the open step by the last read, and informs the node.
  void answer(TimePoint measured_at,
              LoopEvent::Kind kind = LoopEvent::Kind::kAnswer) noexcept;
  /// Gives up the open step and those behind it.
  void give_up() noexcept;
  bool is_open() const noexcept { return state_ != StepState::kNone; }
  /// It is open, and was missed.
  bool is_missed() const noexcept { return state_ == StepState::kMissed; }
  /// The motion of the open step is over: the read that was made closes it.
  bool is_over() const noexcept { return is_open() && !loop_.step_open(); }
  /// The oldest queued step, or null.
  const StepCommandItem* next() const noexcept { return mailbox_.front_step(); }
  bool has_next() const noexcept { return next() != nullptr; }
  /// It is never executed.
  void pass_over_next() noexcept { mailbox_.pop_step(); }
  /// When the read that closes the open step is expected; max: none is open.
  TimePoint expected_end() const noexcept;

  /// Open, or done last.
  std::int64_t number() const noexcept { return number_; }
  /// Steps before this one are done.
  void begin_at(std::int64_t first) noexcept;

  /// A tick begins. @returns false if it continues one that was cut after its read
  bool begin_tick() noexcept;
  /// Called once per tick, after the response to a step: the next target may arrive
  /// immediately.
  bool cut_after_read() noexcept;
  bool is_cut() const noexcept { return cut_ == TickCut::kAfterRead; }
  /// Returns true if this tick needs no read. The first tick of a simulated rig uses the
  /// initial measurement, as in lock-step, and an interrupted tick continues with its read.
  bool has_read(bool real_equipment) const noexcept {
    return cut_ == TickCut::kContinued || (loop_.rig().fresh() && !real_equipment);
  }

  void tell(LoopEvent::Kind kind, std::int64_t step, const Fault& fault = {}) noexcept;
  StepCounts& counts() noexcept { return counts_; }
  const StepCounts& counts() const noexcept { return counts_; }
  /// Returns the time by the run's own ticks, independent of the clock; a simulated rig
  /// uses it.
  TimePoint tick_time() const noexcept { return TimePoint{grid_.ticks(loop_.ticks())}; }

 private:
  enum class StepState : std::uint8_t { kNone, kExecuting, kMissed };
  enum class TickCut : std::uint8_t { kWhole, kAfterRead, kContinued };

  void write_state(SnapshotWriter& into) const;

  ControlLoop& loop_;
  LoopMailbox& mailbox_;
  const TickGrid& grid_;
  const Clock& clock_;
  KeepState keep_;

  StepState state_ = StepState::kNone;
  std::int64_t number_ = kInitialStep;
  TickCut cut_ = TickCut::kWhole;
  SiteTimestamps stamps_;
  bool driven_ = false;  // the open step's first drive is written
  StepCounts counts_;
};

}  // namespace trestle::site_node
