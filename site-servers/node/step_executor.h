#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "site-servers/node/control_loop.h"
#include "site-servers/node/loop_messages.h"

namespace trestle::site_node {

/// The known motion of a rig that should hold.
enum class RigMotion : std::uint8_t {
  kMoves,        ///< a safe action is on its way
  kAskedToHold,  ///< nothing confirms yet that it does
  kHolds,        ///< and a control cycle has been completed since
};

/// Executes the steps of a session: in one call, in lock-step (LockstepExecutor), or by
/// time (TimedExecutor). Thread: the node's. No function that a running test calls waits or
/// allocates.
class StepExecutor {
 public:
  virtual ~StepExecutor() = default;

  /// The rig is armed. May take time, while no tick is due; a second call does nothing.
  /// @returns requests that the host refused, a sentence each
  virtual std::vector<std::string> begin() = 0;
  /// At a resume: the initial measurement, if it is this thread's to make and was not made.
  virtual Fault open() noexcept = 0;
  /// @returns false if there is no room: nothing was done
  virtual bool execute(const StepCommand& command, const StepTimes& times) noexcept = 0;
  /// Keeps a step where it will be executed; nothing moves for it before execute_kept().
  /// Another step takes its place. @returns false if there is no room: nothing was done
  virtual bool keep(const StepCommand& command, const StepTimes& times) noexcept = 0;
  /// @pre keep(), and no step was executed since
  virtual void execute_kept() noexcept = 0;
  /// The same.
  virtual bool order(const LoopCommand& command) noexcept = 0;
  /// Does the work that is due. @returns when it must be called again; `now`: immediately
  virtual TimePoint tick(TimePoint now) noexcept = 0;

  /// Returns the oldest event; null: none. Valid until pop_event().
  virtual const LoopEvent* front_event() const noexcept = 0;
  virtual void pop_event() noexcept = 0;
  /// Returns when to check for events; max: they arrive with tick() or execute().
  virtual TimePoint events_due(TimePoint now) const noexcept = 0;
  /// Loop and rig as they were when an event was made. @returns false if it has none
  virtual bool take_state(int place, std::vector<double>& into) = 0;

  /// A valid message of the session came.
  virtual void message_received(TimePoint now) noexcept = 0;
  /// It holds by itself, since the integrator was silent; until kResume.
  virtual bool watchdog_expired() const noexcept = 0;
  /// With a latched fault: the safe action has done what it does.
  virtual bool at_rest() const noexcept = 0;
  virtual RigMotion motion() const noexcept = 0;
  /// Returns how near the rig comes to its limits; null: not recorded.
  virtual LoopHealth* health() noexcept = 0;

  /// Ends the ticks. @param at_most  longest wait for a thread that is in a call of the rig
  /// @returns false if the thread has not returned. May be called again
  virtual bool finish(Duration at_most) noexcept = 0;
  /// Fills in, when finished, the number of written drives and the timing statistics.
  virtual void fill(Stopped& stopped) const noexcept = 0;
};

}  // namespace trestle::site_node
