#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "core/base/time.h"
#include "core/types/actuator_vector.h"

namespace trestle::rehearsal {

/// The permitted motion of one actuator in a rehearsal.
struct MotionLimits {
  double displacement =
      std::numeric_limits<double>::infinity();              ///< of the drive [m | rad]
  double change = std::numeric_limits<double>::infinity();  ///< from tick to tick [m | rad]
};

/// The motion of a rig when its site met a fault or lost the integrator.
enum class FaultResponse : std::uint8_t {
  kStandsStill,
  kGoesHome,
  kUnloads,  ///< anywhere within its limits
};

/// The behaviour of a rig beside following targets.
struct ExpectedRigBehaviour {
  FaultResponse after_fault = FaultResponse::kStandsStill;
  bool moves_before_start = false;  ///< by checks before it is armed
};

/// Sees from outside every drive that reaches a rig, and judges it: never beyond the
/// limits, never a jump, no motion where the site has reason to stand still. Outlives the
/// site's node.
class RigMonitor {
 public:
  /// Control ticks after the event within which the safe action must have begun (P8).
  static constexpr int kMostTicks = 2;

  explicit RigMonitor(std::string site) : site_(std::move(site)) {}

  /// @param limits  one per actuator; empty: none
  void allow(std::vector<MotionLimits> limits) { limits_ = std::move(limits); }
  void expect(const ExpectedRigBehaviour& habits) noexcept { habits_ = habits; }
  void watchdog(Duration longest_silence) noexcept { watchdog_ = longest_silence; }

  // --- what the site has reason to do from now on ---

  void follow() noexcept;  ///< targets; not after a fault
  /// Its site continues a test: what it reads there is the test's, and may be a fault.
  void continue_test() noexcept { driven_ = true; }
  void be_armed() noexcept {  ///< maybe it moves to see that it can
    driven_ = true;
    if (habits_.moves_before_start) follow();
  }
  void stop_motion() noexcept;  ///< it was told to hold, or knows nothing of a test yet
  void ramp() noexcept;         ///< to zero; not after a fault
  /// It met a fault: nothing moves until a person clears it. What is read before it is
  /// armed is shown only, and none.
  void trip() noexcept;
  /// Its record cannot be kept any more: it may go home, and do nothing else.
  void lose_record() noexcept {
    if (duty_ == ExpectedState::kFollow) trip();
  }
  /// A valid message of the integrator arrived.
  void heard(TimePoint now) noexcept {
    heard_ = now;
    if (duty_ == ExpectedState::kFollow) moves_ = 0;
  }

  // --- the rig ---

  /// The rig is at rest at zero, as a simulated one is at the beginning of a run.
  void restart(Eigen::Index actuators) noexcept;
  /// The rig's node begins a life with a rig that stands where it stood.
  void begin_life() noexcept;
  /// @param displacement  measured after the last drive
  void read(const ActuatorVector& displacement) noexcept;
  void wrote(TimePoint now, const ActuatorVector& drive);

  void save(SnapshotWriter& snapshot) const { snapshot.add(last_); }
  void restore(SnapshotReader& snapshot) { snapshot.fill(last_); }

  // --- what was seen ---

  /// Most control ticks that went on after an event, over the scenario.
  int max_ticks_to_safe_action() const noexcept { return worst_ticks_; }
  std::int64_t drives() const noexcept { return drives_; }
  /// Largest that was seen per actuator.
  const std::vector<MotionLimits>& seen() const noexcept { return seen_; }
  /// Largest measured distance of this actuator from its drive: a site that starts at the
  /// rig's position starts this far from the last drive [m | rad].
  double apart(std::size_t actuator) const noexcept {
    return apart_[static_cast<Eigen::Index>(actuator)];
  }
  const std::vector<std::string>& complaints() const noexcept { return complaints_; }

 private:
  enum class ExpectedState : std::uint8_t { kStand, kFollow, kRamp, kTripped };

  void judge_size(const ActuatorVector& drive);
  void judge_duty(TimePoint now, const ActuatorVector& drive);
  void count_motion(const char* after);
  void count_unsafe_motion(const char* after, const ActuatorVector& drive);
  void add_violation(const std::string& what);

  std::string site_;
  std::vector<MotionLimits> limits_;
  std::vector<MotionLimits> seen_;
  ExpectedRigBehaviour habits_;
  Duration watchdog_ = Duration::max();
  TimePoint heard_{};
  ExpectedState duty_ = ExpectedState::kStand;
  bool driven_ = false;  // armed, or moved, in this life
  ActuatorVector last_;
  ActuatorVector apart_;
  int moves_ = 0;  ///< since the site has reason to stand still
  int worst_ticks_ = 0;
  std::int64_t drives_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace trestle::rehearsal
