#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "core/base/spsc_ring.h"
#include "core/ports/clock.h"
#include "core/timing/duration_histogram.h"
#include "core/types/pace.h"
#include "site-servers/node/control_loop.h"
#include "site-servers/node/loop_errand.h"
#include "site-servers/node/loop_mail.h"
#include "site-servers/node/stall_guard.h"

namespace trestle {

struct PacedLoopSettings {
  Mode mode = Mode::kRealTime;      ///< any but simulated
  double tick = 0.0;                ///< control tick δt [s], > 0
  int ticks_per_step = 1;           ///< real-time: n
  int latency_steps = 0;            ///< real-time: L
  std::int64_t steps = 0;           ///< of the run; real-time: none is due after them
  Duration watchdog{};              ///< silence of the integrator after which it holds
  Duration overrun{};               ///< a tick later than this counts
  std::int64_t most_overruns = 20;  ///< in a row; more are a fault
  /// Silence is a fault: its action is more than to stay where it is.
  bool leaves_on_silence = false;
  bool idle_ticks = false;  ///< real equipment is read on while nothing is asked of it
  bool keeps_state = true;  ///< somebody takes it after each step
  /// A simulated rig, whose state is kept with that of the loop after each step; null:
  /// none.
  const SiteAdapter* rig = nullptr;
  StallGuard* guard = nullptr;  ///< is fed by each cycle that is completed; null: nobody
};

/// Drives a control loop by time: the part of a site that lives on the control thread in
/// the modes that have a pace. It meets the bus in two bounded queues and three atomic
/// numbers, and nowhere else; under the virtual clock the same tick() is called by the
/// node's own thread.
///
/// A tick whose read closes a step answers, comes back to its caller at once, and drives
/// when it is called again: over a link without delay, under the virtual clock, the next
/// target is then there, as in lock-step. On a thread of its own nothing is between the
/// two.
///
/// Ticks stand on the grid zero + m·δt of the site's clock. `zero` follows the comparison
/// of the clocks by at most a hundredth of a tick per tick. In real time ticks that came
/// too late for their place are left out, so that the rest is on time, and steps that were
/// to begin at one of them are missed; in the other modes the grid gives way by a tick that
/// is late by more than its length.
///
/// The first fault is latched: the rig holds, and only a person may move it. A host that
/// slept while the rig was driven is one.
class PacedLoop {
 public:
  /// @param loop   opened by its first sense(); outlives this
  /// @param clock  of the site: for the ledger's stamps
  PacedLoop(const PacedLoopSettings& settings, ControlLoop& loop, const Clock& clock);

  // --- the thread of the bus ---

  /// @returns false where there is no room: nothing was done
  bool order(const LoopOrder& order) noexcept { return orders_.push(order); }
  const LoopNews* news() const noexcept { return news_.front(); }
  void pop_news() noexcept { news_.pop(); }
  /// A valid message of the session came.
  void heard(TimePoint now) noexcept;
  /// When the next closing read is expected, on the site's clock; max: not known.
  TimePoint answer_expected() const noexcept;
  /// Loop and rig as they were when an answer was made: to be taken once, when it is heard.
  /// @returns false where it was not kept
  bool take_state(int place, std::vector<double>& into);
  /// It stands still by itself: the integrator was silent.
  bool silenced() const noexcept { return silenced_.load(std::memory_order_relaxed); }
  /// A fault is latched, and the safe action has done what it does.
  bool at_rest() const noexcept { return at_rest_.load(std::memory_order_acquire); }
  /// The rig was told to stay, or its safe action is over, and a control cycle has been
  /// completed since.
  bool holds() const noexcept { return holds_.load(std::memory_order_acquire); }
  /// A safe action is on its way.
  bool acts_safely() const noexcept { return acts_safely_.load(std::memory_order_acquire); }
  void forget_silence() noexcept { silenced_.store(false, std::memory_order_relaxed); }

  // --- the control thread ---

  /// Does all that is due. @returns when it must be called again; max: at the next order
  TimePoint tick(TimePoint now) noexcept;
  LoopHealth* health() noexcept { return loop_.health(); }

  // --- when no other thread ticks any more ---

  PaceAccount account() const noexcept;

 private:
  enum class State { kIdle, kErrand, kRunning, kHolding, kRamping, kSafe };

  TimePoint do_what_is_due(TimePoint now) noexcept;
  void look_for_sleep() noexcept;
  void take_orders(TimePoint now) noexcept;
  void take(const LoopOrder& order, TimePoint now) noexcept;
  void go_on_errand(TimePoint now) noexcept;
  void open(const LoopOrder& order) noexcept;
  void stand_still(State state) noexcept;
  void hold() noexcept;
  void go_on(const LoopOrder& order, TimePoint now) noexcept;
  void keep_state() noexcept;
  bool waits() const noexcept;
  void run(TimePoint now) noexcept;
  void run_pseudo_dynamic() noexcept;
  void run_continuous(TimePoint now) noexcept;
  void run_real_time() noexcept;
  void open_due_step(std::int64_t step) noexcept;
  void open_missed(std::int64_t step) noexcept;
  bool on_time(TimePoint now) noexcept;
  void leave_out(std::int64_t place) noexcept;
  void miss(std::int64_t from, std::int64_t to) noexcept;
  std::int64_t steps_due(std::int64_t tick) const noexcept;
  std::int64_t first_tick() const noexcept;
  bool open_step(int ticks) noexcept;
  bool read_already() const noexcept;
  bool sense() noexcept;
  bool act() noexcept;
  void trip(const Fault& fault) noexcept;
  void come_to_rest() noexcept;
  void answer(TimePoint measured_at,
              LoopNews::Kind kind = LoopNews::Kind::kAnswer) noexcept;
  bool pause() noexcept;
  void tell(LoopNews::Kind kind, std::int64_t step, const Fault& fault = {}) noexcept;
  void ramp() noexcept;
  void follow_clock() noexcept;
  void expect_answer() noexcept;
  TimePoint tick_time() const noexcept;
  Duration ticks(std::int64_t count) const noexcept;

  PacedLoopSettings settings_;
  ControlLoop& loop_;
  const Clock& clock_;
  SpscRing<LoopOrder> orders_;
  SpscRing<LoopNews> news_;
  SpscRing<LoopOrder> steps_;  // taken, not yet begun: used by the control thread alone

  State state_ = State::kIdle;
  LoopErrand* errand_ = nullptr;   // under way
  std::int64_t errand_ticks_ = 0;  // done
  Fault fault_;                    // latched
  TimePoint zero_{};               // of the grid
  TimePoint wanted_zero_{};        // where the clocks' comparison would have it
  TimePoint next_{};               // tick
  std::int64_t tick_ = 0;          // m of the next tick
  bool open_ = false;    // a step is being executed, or was missed and waits for its read
  bool missed_ = false;  // the open step was
  std::int64_t left_out_ = kOpeningStep;  // a step whose first tick was; −1: none
  std::int64_t step_ = kOpeningStep;      // open, or done last
  std::int64_t from_step_ = 0;            // none before it is opened any more
  bool paused_ = false;                   // between the read and the drive of a tick
  bool resumed_ = false;                  // this tick was
  LoopNews out_;                          // reused
  SiteStamps stamps_;
  bool driven_ = false;  // the open step's first drive is written
  bool held_ = false;    // the rig was told to stay, and nothing since
  Duration slept_{};     // of the host, up to now

  static constexpr std::size_t kStates = 8;
  struct KeptState {
    std::atomic<bool> full{false};  // the bus has it to read, else the loop to write
    SnapshotWriter snapshot;
  };
  std::array<KeptState, kStates> states_;

  PaceAccount account_;
  DurationHistogram wake_;
  std::int64_t overruns_in_a_row_ = 0;

  std::atomic<std::int64_t> heard_{0};
  std::atomic<std::int64_t> answer_expected_;
  std::atomic<bool> silenced_{false};
  std::atomic<bool> at_rest_{false};
  std::atomic<bool> holds_{false};
  std::atomic<bool> acts_safely_{false};
};

}  // namespace trestle
