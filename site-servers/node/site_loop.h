#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/ports/actuator_controller.h"
#include "core/ports/clock.h"
#include "core/ports/compensator.h"
#include "site-servers/checks/drive_in_force.h"
#include "site-servers/node/agreed_test.h"
#include "site-servers/node/arming_checks.h"
#include "site-servers/node/control_loop.h"
#include "site-servers/node/integrator_peer.h"
#include "site-servers/node/site_recorder.h"
#include "site-servers/node/site_rig.h"
#include "site-servers/node/site_settings.h"
#include "site-servers/node/step_executor.h"
#include "site-servers/node/step_position.h"
#include "site-servers/node/timed_control_loop.h"

namespace trestle::site_node {

/// Owns the control loop of a session, the executor that ticks it, and the start-up checks
/// that it executes. The loop is made when a test is agreed on. After the end of the
/// session it is kept: a LockstepExecutor ticks it then, on the node's thread.
class SiteLoop {
 public:
  struct Parts {
    SiteSettings& settings;
    SiteRig& rig;
    IntegratorPeer& peer;
    SiteRecorder& record;
    const AgreedTest& agreed;
    StepPosition& position;
    const Clock& clock;
  };

  /// All outlive this.
  explicit SiteLoop(const Parts& parts) : parts_(parts) {}
  ~SiteLoop() { end(); }

  // --- the loop ---

  /// Makes motion and sequence of the mode, the control loop, and its executor.
  void make(std::unique_ptr<Compensator> compensator,
            std::unique_ptr<ActuatorController> controller);
  /// Starts the executor; may take time, while no tick is due. A second call does nothing.
  void begin();
  /// Ends the ticks by time. Waits a limited time for the control thread.
  void finish();
  /// The control thread did not end.
  bool hung() const noexcept { return hung_; }
  /// A thread is in a function of the rig that does not return.
  bool hangs() const noexcept { return hung_ || parts_.rig.guard().hangs(); }
  /// Looks whether what hung has returned. @returns whether nothing hangs
  bool recover();
  void drop() noexcept;
  bool exists() const noexcept { return loop_ != nullptr; }
  /// Its executor may tick by time still.
  bool unfinished() const noexcept { return unfinished_; }
  /// @pre exists()
  ControlLoop& control() noexcept { return *loop_; }
  const ControlLoop& control() const noexcept { return *loop_; }
  /// Null: no loop exists.
  StepExecutor* executor() const noexcept { return executor_.get(); }

  /// Says to the loop what to do next. @pre exists()
  void order(LoopCommand::Kind kind, TimePoint at = {});
  void order(const LoopCommand& command);
  /// The laboratory's safe action; without a loop the rig holds.
  void enter_safe_state(const Fault& fault);
  /// With a latched fault: the safe action has done what it does.
  bool at_rest() const noexcept;
  /// The grid of the ticks follows the integrator's clock. @pre the test runs
  void follow_clocks();
  /// How the last loop kept to its time.
  const TimingStatistics& timing() const noexcept { return timing_; }

  // --- start-up checks of real equipment, which the loop executes ---

  void run_checks(std::unique_ptr<ArmingChecks> checks);
  /// Started, and not over. Null: none are.
  const ArmingChecks* checks() const noexcept { return checks_.get(); }
  /// The same, and not given up.
  bool checking() const noexcept { return checks_ != nullptr && !checks_->given_up(); }
  /// The rig stays where a check left it: now, and again when the loop returns.
  void give_up_checks();
  /// @pre the loop has reported that they are complete
  std::unique_ptr<ArmingChecks> take_checks() { return std::move(checks_); }

  /// The drive that the last loop, or the checks, left in the rig.
  const std::optional<DriveInForce>& stood() const noexcept { return stood_; }
  void set_stood(const std::optional<DriveInForce>& drive) { stood_ = drive; }

  /// Before the node ends. A thread that is in the rig still may return: what it uses is
  /// then kept until the process ends. Again: does nothing.
  void end() noexcept;

 private:
  TimedLoopSettings timed_loop_settings() noexcept;
  void use_lockstep();

  Parts parts_;
  std::unique_ptr<ControlLoop> loop_;
  std::unique_ptr<StepExecutor> executor_;  // of the loop
  std::unique_ptr<ArmingChecks> checks_;
  bool unfinished_ = false;
  bool begun_ = false;  // since it was made
  bool hung_ = false;
  bool ended_ = false;
  TimingStatistics timing_;
  std::optional<DriveInForce> stood_;
  TimePoint clocks_followed_{};
};

}  // namespace trestle::site_node
