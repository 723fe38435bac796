#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "core/ports/clock.h"
#include "site-servers/checks/reading_statistics.h"
#include "site-servers/checks/sine_fit.h"
#include "site-servers/node/overrun_watch.h"
#include "site-servers/node/rig_path.h"
#include "site-servers/node/rig_port.h"
#include "site-servers/node/rig_sine.h"
#include "site-servers/node/stall_guard.h"
#include "site-servers/node/ticked_loop.h"
#include "site-servers/safety/guarded_safe_motion.h"
#include "site-servers/safety/safety_gate.h"

namespace trestle::site_node {

struct RigServiceSettings {
  double tick = 0.0;   ///< control tick δt [s], > 0
  RigLimits limits{};  ///< the laboratory's, one per actuator
  safety::SafeAction safe_action{};
  /// More late control ticks in a row are a fault of a motion.
  std::int64_t most_overruns = 20;
  Duration overrun{};  ///< a control tick later than this counts as late; 0: one tick
  /// A motion ends in a hold if the person's command was not repeated for longer.
  Duration silence = std::chrono::seconds(1);
};

/// A motion of a rig by a person's command.
struct RigMotionTask {
  RigPath path;          ///< its beginning is the drive in force
  ActuatorVector found;  ///< position of the rig when the path was planned [m | rad]
  ActuatorVector force;  ///< a larger one, either sign, ends the motion [N | N·m]
  /// Of an exercise: follows the path, which stays at the drive in force.
  std::optional<RigSine> sine = {};

  /// Ticks of the motion.
  std::int64_t ticks() const noexcept { return path.ticks() + (sine ? sine->ticks() : 0); }
  /// Returns the drives after this number of ticks; from ticks() on those of the end.
  ActuatorVector at(std::int64_t tick) const noexcept {
    if (!sine || tick < path.ticks()) return path.at(tick);
    return sine->at(tick - path.ticks());
  }
};

/// Of one actuator during its sine.
struct ExerciseFit {
  checks::SineFit displacement;
  checks::SineFit force;
};

/// Why a task with a rig is over.
enum class RigTaskEnd : std::uint8_t {
  kNotYet,
  kRead,        ///< all readings were made
  kThere,       ///< the rig was moved to the end of its path
  kSilent,      ///< the person's command was not repeated; the rig holds
  kAsked,       ///< a person, or the end of the program, asked for a hold
  kForce,       ///< the force that the person stated was reached; the rig holds
  kMoved,       ///< before its first drive the rig was moved by other means
  kUnreadable,  ///< a read without a motion failed
  kFault,       ///< a limit, the rig's protection, or the loop itself; safe action done
};

/// One task with a rig between two tests, tick by tick: readings of all its transducers, or
/// a motion. A motion passes the gate with the laboratory's limits, repeats the drive in
/// force until the person's command is repeated the first time, and ends in a hold of the
/// rig. A fault starts the laboratory's safe action, behind a second gate, from the next
/// tick on. The dead-man: if the person's command is not repeated, the rig holds in the
/// first tick after the permitted silence.
///
/// Each object executes one task. On the control thread; the node's thread asks and looks
/// by atomic values alone.
class RigServiceLoop final : public TickedLoop {
 public:
  /// Reads only. @param readings  how many, > 0
  RigServiceLoop(const RigServiceSettings& settings, SiteAdapter& rig, const Clock& clock,
                 std::int64_t readings);
  /// Moves the rig, from the first hear() on. @param begun  the silence counts from then
  RigServiceLoop(const RigServiceSettings& settings, SiteAdapter& rig, const Clock& clock,
                 const RigMotionTask& task, TimePoint begun);
  /// Fed by each completed cycle; null: none. It outlives the ticks.
  void set_guard(StallGuard* guard) noexcept { guard_ = guard; }

  TimePoint tick(TimePoint now) noexcept override;

  // --- any thread ---

  /// The person's command was repeated.
  void hear(TimePoint now) noexcept;
  /// The loop holds the rig in its next tick.
  /// @returns whether no drive is under way and none follows: the caller may ask the rig
  ///          itself to hold. Otherwise the loop does so when the drive is written, or in
  ///          the next tick of its safe action.
  bool ask_to_hold() noexcept {
    asked_.store(true);  // sequentially consistent, as in drive()
    return !drives_.load();
  }
  bool over() const noexcept { return end() != RigTaskEnd::kNotYet; }
  RigTaskEnd end() const noexcept { return end_.load(std::memory_order_acquire); }
  /// The safe action of a fault moves the rig.
  bool acts_safely() const noexcept { return acts_safely_.load(std::memory_order_acquire); }
  /// Returns the drive, the position and the force of an actuator as of the last tick.
  struct Axis {
    double drive = 0.0;
    double measured = 0.0;
    double force = 0.0;
  };
  Axis axis(int actuator) const noexcept;

  // --- if over() or acts_safely() ---

  const Fault& fault() const noexcept { return fault_; }

  // --- if over() ---

  /// All values of all readings: displacements, forces, load cells, further channels. Of an
  /// exercise the displacements and forces before its sine.
  const checks::ReadingStatistics& readings() const noexcept { return seen_.readings; }
  /// The drive that the task left in force; empty: it wrote none.
  std::optional<DriveInForce> given() const noexcept { return rig_.given(); }
  std::int64_t drives() const noexcept { return rig_.state().written; }
  /// The actuator whose force ended the motion (kForce).
  int stopped_by() const noexcept { return stopped_by_; }
  std::int64_t overruns() const noexcept { return overruns_.count(); }
  const ExerciseFit& fit(int actuator) const noexcept {
    return seen_.fits[static_cast<std::size_t>(actuator)];
  }

 private:
  RigServiceLoop(const RigServiceSettings& settings, SiteAdapter& rig, const Clock& clock);
  Fault sense() noexcept;
  void read_tick() noexcept;
  void motion_tick(TimePoint now) noexcept;
  RigTaskEnd why_to_hold(TimePoint now) noexcept;
  void drive() noexcept;
  void measure() noexcept;
  void step_safe_action() noexcept;
  void trip(const Fault& fault) noexcept;
  Fault find_host_fault(TimePoint now) noexcept;
  void hold(RigTaskEnd end) noexcept;
  void show(const ActuatorVector& drive) noexcept;
  TimePoint tick_time() const noexcept;

  RigServiceSettings settings_;
  const Clock& clock_;
  RigPort rig_;
  safety::SafetyGate gate_;
  safety::GuardedSafeMotion action_;
  OverrunWatch overruns_;
  std::optional<RigMotionTask> task_;
  struct Seen {
    checks::ReadingStatistics readings;
    std::int64_t wanted = 0;                        // readings
    std::array<ExerciseFit, kMaxActuators> fits{};  // of an exercise
  } seen_;
  StallGuard* guard_ = nullptr;

  struct Ticks {
    std::int64_t done = 0;
    std::int64_t on_path = 0;
  };
  Ticks ticks_;
  std::optional<TimePoint> next_;
  Duration slept_{};
  Fault fault_;
  int stopped_by_ = -1;
  struct Heard {
    std::atomic<std::int64_t> at{0};
    std::atomic<bool> repeated{false};
  };
  Heard heard_;
  std::atomic<bool> asked_{false};
  std::atomic<bool> drives_{false};  // a drive may be on its way to the rig
  std::atomic<bool> acts_safely_{false};
  std::atomic<RigTaskEnd> end_{RigTaskEnd::kNotYet};
  struct Shown {
    std::atomic<double> drive{0.0};
    std::atomic<double> measured{0.0};
    std::atomic<double> force{0.0};
  };
  std::array<Shown, kMaxActuators> shown_;
};

}  // namespace trestle::site_node
