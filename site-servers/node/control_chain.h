#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>

#include "core/math/carried_inertia.h"
#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"
#include "core/ports/loading_frame.h"
#include "core/types/message.h"
#include "site-servers/node/control_loop_settings.h"
#include "site-servers/node/measurement_mean.h"
#include "site-servers/node/rig_port.h"
#include "site-servers/safety/energy_error_monitor.h"
#include "site-servers/safety/safety_gate.h"
#include "site-servers/trajectory/bumpless_transfer.h"
#include "site-servers/trajectory/coasting_stop.h"
#include "site-servers/trajectory/feedforward.h"
#include "site-servers/trajectory/trajectory_generator.h"

namespace trestle::site_node {

/// One control tick of a healthy rig, from the measurement to the drive:
///
///   read()   rig -> gate, for the measurement -> mean of the step -> energy watch
///   drive()  motion -> frame -> compensator, feed-forward -> bumpless transfer
///            -> controller -> bumpless transfer of the drive -> gate -> rig
///
/// Finds faults and latches none: the SafetySupervisor latches them and makes every motion
/// after a fault. Lives on the control thread.
class ControlChain {
 public:
  /// The blocks of the chain that laboratory and test choose.
  struct Blocks {
    std::unique_ptr<Compensator> compensator;
    std::unique_ptr<ActuatorController> controller;
    /// From target to target; null: an InterpolatedTrajectory, in lock-step.
    std::unique_ptr<trajectory::TrajectoryGenerator> motion = nullptr;
  };

  /// The part of a snapshot of the loop that belongs to this chain, without its blocks.
  struct State {
    /// @param nothing  zeros, one for each value that the rig senses
    State(const Measurement& nothing, int actuators)
        : mean(nothing), stroke(ActuatorVector::Zero(actuators)), command(stroke) {}

    std::atomic<bool> opened{false};  ///< the initial measurement was made
    MeasurementMean mean;             ///< of what the step measured
    bool resting = false;             ///< since a rest no step was accepted
    bool activated = false;           ///< before, in this run
    ActuatorVector stroke;            ///< whole target of the last tick [m | rad]
    ActuatorVector command;           ///< in force, feed-forward included [m | rad]
  };

  /// @param frame, rig  outlive this
  /// @throws SettingError  if sizes or limits do not fit
  ControlChain(const ControlLoopSettings& settings, const LoadingFrame& frame,
               Blocks blocks, Eigen::Index reactions, RigPort& rig);

  /// Reads the rig and checks the effect of all drives so far. The first call opens the
  /// run.
  /// @returns kAdapter, kNotFinite, kForceLimit, kEnergyError, kJournal, what the gate says
  ///          of where the rig stands, or, where a run continues, kUnknownDrive
  Fault read(TimePoint now) noexcept;
  /// The next tick, after its read. @returns what the gate held back, kAdapter or kJournal
  Fault drive() noexcept;
  /// One tick past all blocks but the gate. @param to [m | rad] @returns as drive()
  Fault drive_straight(const ActuatorVector& to) noexcept;

  /// The next step. @param ticks  until its target, for a motion that can choose
  void aim(const StepCommand& command, int ticks) noexcept;
  /// Real time: the target of the due step is missing. The sequence informs the motion.
  void miss() noexcept;
  /// Real time: a tick was due and never came. As miss().
  void skip() noexcept;
  /// Stops where it is and gives up the open step; the next one is joined without a jump.
  void rest() noexcept;
  /// Real time: no step follows. The command comes to rest from its present velocity, and
  /// the lead of a compensator stays in it; the next step is joined as after rest().
  void decelerate_to_rest() noexcept;
  /// Stops at the present position: the next motion of the rig is not a step.
  /// @returns the drive in force [m | rad]
  ActuatorVector stop() noexcept;
  /// The gate takes the rate of the last drive for none.
  void forget_rate() noexcept { gate_.rest(); }
  /// Drives that are no step's: the chain continues from there. @param drive [m | rad]
  void follow(const ActuatorVector& drive) noexcept {
    state_.stroke = state_.command = drive;
  }
  /// If the equipment was moved by its own controls, the next drive begins at the new
  /// position.
  /// @returns kUnknownDrive if that position is unknown
  Fault look_again() noexcept;

  /// After a restart or a cleared fault; before another run.
  void resume() noexcept;
  void reset() noexcept;

  bool opened() const noexcept { return state_.opened.load(std::memory_order_acquire); }
  bool step_open() const noexcept { return !motion_->arrived(); }
  /// Ticks that the open step is expected to take from now on.
  int remaining_ticks() const noexcept;
  const safety::SafetyGate& gate() const noexcept { return gate_; }
  const safety::EnergyErrorMonitor& energy() const noexcept { return energy_; }
  /// Fills in the measurement of the last step, or the initial measurement; leaves step and
  /// session unchanged.
  void report(StepResponse& response) const noexcept;

  State& state() noexcept { return state_; }
  const State& state() const noexcept { return state_; }
  /// Block by block.
  void save_blocks(SnapshotWriter& snapshot) const;
  void restore_blocks(SnapshotReader& snapshot);

 private:
  Fault open() noexcept;
  Fault join() noexcept;
  void rest_command() noexcept;
  ActuatorVector command_towards(const InterfaceMotion& target) noexcept;
  void follow_path(const InterfaceMotion& target, const ActuatorVector& beside) noexcept;

  // Set-up.
  RigLimits limits_;        // one per actuator
  Eigen::Index reactions_;  // of force-only DOFs
  int ticks_per_step_;
  double tick_;   // [s]
  bool leaps_;    // ticks that were left out passed for the rig, too
  bool by_time_;  // a step takes as long as it takes; in lock-step it ends at its target
  const LoadingFrame& frame_;
  RigPort& rig_;

  // The blocks.
  std::unique_ptr<Compensator> compensator_;
  std::unique_ptr<ActuatorController> controller_;
  std::unique_ptr<trajectory::TrajectoryGenerator> motion_;
  trajectory::Feedforward feedforward_;
  math::CarriedInertia inertia_;  // of the specimen, along the path that is commanded
  trajectory::BumplessTransfer bumpless_;        // of the command
  trajectory::BumplessTransfer drive_bumpless_;  // of the drive, after an activation
  trajectory::CoastingStop coasting_;            // of the command, behind the last step
  safety::SafetyGate gate_;
  safety::EnergyErrorMonitor energy_;

  // State of the run.
  bool left_out_ = false;  // ticks, since the last drive
  State state_;
};

}  // namespace trestle::site_node
