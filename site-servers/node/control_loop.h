#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"
#include "core/ports/loading_frame.h"
#include "core/ports/row_sink.h"
#include "core/ports/site_adapter.h"
#include "core/types/message.h"
#include "site-servers/checks/drive_in_force.h"
#include "site-servers/node/control_chain.h"
#include "site-servers/node/control_loop_settings.h"
#include "site-servers/node/loop_health.h"
#include "site-servers/node/rig_port.h"
#include "site-servers/node/safety_supervisor.h"
#include "site-servers/node/target_check.h"
#include "site-servers/trajectory/trajectory_generator.h"

namespace trestle::site_node {

/// One control tick of a site: one port to the rig (RigPort), one chain from measurement to
/// drive (ControlChain), and one supervisor that drives if a fault is latched or the rig
/// returns home (SafetySupervisor). This class defines their order: a latched fault comes
/// first; and the order in which their state is kept.
///
/// In lock-step, once per run and then per step:
///
///   sense()                               the initial measurement       -> answer(): step
///   −1 accept(command k) act(), { sense(), act() } while step_open() sense() the
///   end-of-step measurement       -> answer(): step k
///
/// In the paced modes time advances without a target, too: sense() and act() always
/// alternate, and act() drives to the position that the step's motion has without a target.
///
/// The drive of the last tick aims at the whole target, so an ideal rig's end-of-step
/// measurement is the target. The first fault of rig or gate, or one that
/// trigger_safe_action() tells of, is latched; the rig stops where it is, and from then on
/// sense(), accept() and act() only return that fault. If the safe action is a motion, its
/// caller then runs
///
///   while (!step_safe_action(now))  once per control tick
///
/// from the very next tick on: paced, each tick; in lock-step, in a loop, as with ramp().
///
/// Every activation joins bumplessly: the first drive after an initial measurement, a
/// cleared fault or a restart is the one that the rig has in force. That is what the
/// equipment reports; else what it was given last, where it still stands as that left it;
/// else where it stands. The gate's reference is the same.
///
/// Lives on the real-time thread. The session is its caller's business.
class ControlLoop {
 public:
  /// @param frame    must fit the layout's controlled DOFs and the rig; outlives this
  /// @param adapter  prepared for ticks of time_step / ticks_per_step, with a load cell for
  ///                 each force-only DOF; outlives this
  /// @param ticks    takes the rows of TickColumns; null: none. Outlives this
  /// @throws SettingError  if sizes or limits do not fit
  ControlLoop(const ControlLoopSettings& settings, const LoadingFrame& frame,
              ControlChain::Blocks blocks, SiteAdapter& adapter, RowSink* ticks);

  /// Reads the rig: what the drives of all ticks so far have done.
  /// @returns kAdapter (value: the AdapterStatus), kNotFinite (also where the strokes are
  ///          none that the loading frame can stand in), kForceLimit, kEnergyError, or
  ///          kJournal if the row of the tick that it closes was lost
  /// @param clears  the read with which a person clears a fault: an input that was not
  /// read in it holds the rig, and releases nothing
  Fault sense(TimePoint now, bool clears = false) noexcept;

  /// Returns why this target cannot be followed: kNotFinite or kTargetLimit (index:
  /// interface DOF), or kDisplacementLimit (index: actuator) if its stroke, or its
  /// feed-forward command, is beyond an actuator's limit. A function of the set-up alone,
  /// for any thread.
  Fault refusal_of(const StepCommand& command) const noexcept {
    return check_.refusal_of(command);
  }

  /// Reads the rig while no drive follows: before the run, held, or with a latched fault.
  /// @returns kInterlock, not latched, if an input is active; a read that fails is no fault
  Fault look(TimePoint now) noexcept { return rig_.look(now); }

  /// Takes the next step's target.
  /// @param ticks  until it shall be reached, for a motion that can choose
  /// @pre  no step is open
  /// @returns as refusal_of() where the target is refused (kNotFinite also where there is
  ///          not one entry per controlled DOF, or feed-forward where the loading frame is
  ///          not linear): nothing moves, nothing is latched
  Fault accept(const StepCommand& command, int ticks = 0) noexcept;

  /// The next tick, after its read: computes the drive and writes it.
  Fault act() noexcept;

  /// Real time: the due step has no target. Its sequence informs the motion.
  /// @param test_over  no step follows: act() brings the rig to rest within its limits of
  ///                   rate and acceleration, and repeated calls change nothing
  /// @pre no step is open
  void miss(bool test_over = false) noexcept;

  /// Real time: a tick was due and never came. As miss(), but for the open step.
  void skip() noexcept { chain_.skip(); }

  /// More ticks of the accepted step are due.
  bool step_open() const noexcept { return chain_.step_open(); }

  /// To be looked at: what guards the rig, and how far the open step is.
  const ControlChain& chain() const noexcept { return chain_; }
  /// To be looked at: what was read and given, and the health of the loop.
  const RigPort& rig() const noexcept { return rig_; }

  /// Fills in the last measurement as the response to the last accepted step, or before the
  /// first one to step −1. Leaves the session to the caller.
  void answer(StepResponse& response) const noexcept;

  /// One tick, read and write, on the way to the safe position: zero drive. With a latched
  /// fault nothing moves: only a person may move a rig that tripped. The run ends with it:
  /// reset() begins another.
  /// @returns true when it is there, or must stay where it is
  bool ramp(TimePoint now) noexcept;

  /// Stops where the rig is and gives up the rest of an open step. No fault; the next
  /// accepted target moves on, smoothly, and nothing before it. Does nothing while a safe
  /// action moves.
  void hold() noexcept;

  /// Requests the rig to stay; the motion keeps its place.
  void freeze() noexcept { rig_.hold(); }
  /// Latches a fault that only the caller can see (kStopped, kPeerSilent, kOverrun, ...)
  /// like a fault that the loop found.
  /// @returns the fault in force, which may be an earlier one
  Fault trigger_safe_action(const Fault& why) noexcept { return safety_.trip(why); }

  /// With a latched fault: executes one tick of the configured safe action, read and write,
  /// through a second gate (displacement, rate, acceleration), into the tick record. With
  /// `hold`, with an invalid measurement (kAdapter, kNotFinite in a read), or before the
  /// first drive, there is no action: the adapter was requested to hold when the fault was
  /// latched. Any error during the action ends it in that hold.
  /// @returns true when the action is over: no drive follows
  bool step_safe_action(TimePoint now) noexcept { return safety_.step_safe_action(now); }

  /// No safe action is on its way.
  bool safe() const noexcept { return safety_.action_finished(); }

  /// Control ticks from the one that saw the fault, or from trigger_safe_action(), to the
  /// first of the safe action. A hold is in the same tick: 0.
  int ticks_to_safe_action() const noexcept { return safety_.ticks_to_action(); }

  const Fault& fault() const noexcept { return safety_.fault(); }
  std::int64_t step() const noexcept { return step_; }  ///< accepted last; −1: none
  std::int64_t ticks() const noexcept {
    return rig_.state().written;
  }  ///< drives written, ramp included

  /// Resumes after a restart or a cleared fault. The next sense() opens the loop as at the
  /// start of the run, but adapted parameters and the counts of steps and ticks are kept.
  /// @param step   done last
  /// @param ticks  drives written so far
  void resume_at(std::int64_t step, std::int64_t ticks) noexcept;

  /// The last drive of the rig before this loop: the next opening joins it.
  void stood(const DriveInForce& before) noexcept { rig_.stood(before); }

  /// A person says which drive the equipment has in force, now that nobody knows. After
  /// resume_at(), before the next read.
  void told(const ActuatorVector& drive) noexcept { rig_.told(drive); }

  /// Marks the last drive of the rig as unknown.
  void forget_given() noexcept { rig_.forget_given(); }

  /// While nothing was driven, the equipment may have been moved by its own controls: the
  /// next drive begins at the new position. @pre opened, at rest
  /// @returns kUnknownDrive, latched, if that position is unknown
  Fault look_again() noexcept;

  /// Back to before the initial measurement; clears the fault.
  void reset() noexcept;

  /// Saves everything but the adapter, which saves its own state. Call it between ticks,
  /// not during a ramp.
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  RigPort rig_;
  TargetCheck check_;
  ControlChain chain_;
  SafetySupervisor safety_;
  std::int64_t step_ = kInitialStep;  // accepted last
};

}  // namespace trestle::site_node
