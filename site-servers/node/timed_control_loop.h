#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/ports/clock.h"
#include "site-servers/node/control_loop.h"
#include "site-servers/node/loop_errand.h"
#include "site-servers/node/loop_mailbox.h"
#include "site-servers/node/overrun_watch.h"
#include "site-servers/node/stall_guard.h"
#include "site-servers/node/step_run.h"
#include "site-servers/node/step_sequence.h"
#include "site-servers/node/tick_grid.h"
#include "site-servers/node/ticked_loop.h"
#include "site-servers/node/timed_steps.h"

namespace trestle::site_node {

struct TimedLoopSettings {
  double tick = 0.0;                ///< control tick δt [s], > 0
  Duration watchdog{};              ///< silence of the integrator after which it holds
  Duration overrun{};               ///< a tick later than this counts
  std::int64_t most_overruns = 20;  ///< in a row; more are a fault
  /// Silence is a fault: its action is more than to stay at the present position.
  bool leaves_on_silence = false;
  bool idle_ticks = false;  ///< real equipment is read on while nothing is asked of it
  bool keeps_state = true;  ///< the node saves it after each step
  /// A simulated rig, whose state is kept with that of the loop after each step; null:
  /// none.
  const SiteAdapter* rig = nullptr;
  StallGuard* guard = nullptr;  ///< fed by each completed cycle; null: none
};

/// Runs a control loop by time: the part of a site on the control thread in the paced
/// modes. It exchanges data with the node only through its mailbox; under the virtual clock
/// the node's own thread calls the same tick().
///
/// It handles the commands of the node, the watchdog, and motions other than steps. The
/// TickGrid says when ticks are due, the StepRun is the present step, and the mode's
/// StepSequence divides steps into ticks.
///
/// A tick whose read closes a step responds, returns to its caller immediately, and drives
/// at the next call: over a link without delay, under the virtual clock, the next target is
/// then there, as in lock-step. On a separate thread nothing happens between the two calls.
///
/// The first fault is latched: the rig holds, and only a person may move it. A host that
/// slept while the rig was driven is one. While real equipment is armed or in FAULT and no
/// tick is due, it is read and never written: an interlock that becomes active then acts,
/// and people see what the rig reads. Those reads end before the loop tells that an
/// interlock asks for the release of the rig: another thread calls the driver then.
class TimedControlLoop final : public TickedLoop {
 public:
  using MakeSequence =
      std::function<std::unique_ptr<StepSequence>(const StepSequence::Parts&)>;

  /// @param loop   opened by its first sense(); outlives this
  /// @param clock  of the site: for the ledger's stamps
  TimedControlLoop(const TimedLoopSettings& settings, ControlLoop& loop,
                   const MakeSequence& make_sequence, const Clock& clock);

  /// The way between the node's thread and this.
  LoopMailbox& mailbox() noexcept { return mailbox_; }
  const LoopMailbox& mailbox() const noexcept { return mailbox_; }
  LoopHealth* health() noexcept { return loop_.rig().health(); }

  /// On the control thread: does all that is due.
  /// @returns when it must be called again; max: at the next order
  TimePoint tick(TimePoint now) noexcept override;

  /// When no other thread ticks any more.
  TimingStatistics account() const noexcept;

 private:
  enum class State { kIdle, kErrand, kRunning, kHolding, kRamping, kSafeAction };

  TimePoint do_what_is_due(TimePoint now) noexcept;
  void look_for_sleep() noexcept;
  void check_watchdog(TimePoint now) noexcept;
  bool watches() const noexcept;
  void look_at_rest(TimePoint now) noexcept;
  void heed(const Fault& active) noexcept;
  void forget_readings() noexcept;
  void take_arrivals(TimePoint now) noexcept;
  void take_step(TimePoint now) noexcept;
  void take(const LoopCommand& command, TimePoint now) noexcept;
  void tick_errand(TimePoint now) noexcept;
  void open(const LoopCommand& command) noexcept;
  void hold() noexcept;
  void resume(const LoopCommand& command, TimePoint now) noexcept;
  void clear(const LoopCommand& command) noexcept;
  void stop_motion(State state) noexcept;
  bool waits() const noexcept;
  void run(TimePoint now) noexcept;
  void run_tick(TimePoint now) noexcept;
  bool is_tick_on_time(TimePoint now) noexcept;
  void ramp() noexcept;
  void trip(const Fault& fault) noexcept;
  void finish_safe_action() noexcept;
  TimePoint response_expected_at() const noexcept;

  TimedLoopSettings settings_;
  ControlLoop& loop_;
  const Clock& clock_;
  LoopMailbox mailbox_;
  TickGrid grid_;
  StepRun run_;
  std::unique_ptr<StepSequence> sequence_;
  OverrunWatch overruns_;

  State state_ = State::kIdle;
  LoopErrand* errand_ = nullptr;   // under way
  std::int64_t errand_ticks_ = 0;  // done
  Fault fault_;                    // latched
  bool held_ = false;              // the rig was told to stay, and nothing since
  Duration slept_{};               // of the host, up to now
  bool watches_ = false;           // armed or in FAULT: read while no tick is due
  TimePoint next_look_{};          // of those reads
};

}  // namespace trestle::site_node
