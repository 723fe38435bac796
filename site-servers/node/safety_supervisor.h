#pragma once

#include "core/types/fault.h"
#include "site-servers/node/control_chain.h"
#include "site-servers/node/control_loop_settings.h"
#include "site-servers/node/rig_port.h"
#include "site-servers/safety/guarded_safe_motion.h"
#include "site-servers/safety/safe_ramp.h"

namespace trestle::site_node {

/// Moves a rig that has met a fault or returns home. It latches the first fault; from then
/// on it alone drives, without the chain. Lives on the control thread.
class SafetySupervisor {
 public:
  /// @param rig, chain  outlive this
  SafetySupervisor(const ControlLoopSettings& settings, int actuators, RigPort& rig,
                   ControlChain& chain);

  /// Latches the first fault, and begins the safe action, or holds.
  /// @returns the fault in force
  Fault trip(const Fault& fault) noexcept;
  const Fault& fault() const noexcept { return state_.fault; }

  /// As ControlLoop::step_safe_action().
  bool step_safe_action(TimePoint now) noexcept;
  /// No safe action is on its way.
  bool action_finished() const noexcept { return !state_.fault || action_.finished(); }
  int ticks_to_action() const noexcept { return state_.ticks_to_action; }

  /// Writes one drive on the way to the safe position. @pre no fault; the tick was read
  /// @returns true when it is there, or a fault was met
  bool ramp_tick() noexcept;
  void cancel_ramp() noexcept { ramp_.cancel(); }

  /// A person cleared the fault, or another run begins.
  void clear() noexcept;

  /// The part of a snapshot of the loop that belongs to this class, without the safe
  /// action.
  struct State {
    Fault fault;         ///< latched
    bool begun = false;  ///< the safe action has driven
    int ticks_to_action = 0;
  };
  State& state() noexcept { return state_; }
  const State& state() const noexcept { return state_; }
  void save_action(SnapshotWriter& snapshot) const { action_.save(snapshot); }
  void restore_action(SnapshotReader& snapshot) { action_.restore(snapshot); }

 private:
  bool may_move(const Fault& fault) noexcept;

  RigPort& rig_;
  ControlChain& chain_;
  safety::GuardedSafeMotion action_;
  safety::SafeRamp ramp_;
  State state_;
};

}  // namespace trestle::site_node
