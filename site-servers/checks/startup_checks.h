#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/ports/site_adapter.h"
#include "core/types/limits.h"
#include "core/types/motion.h"
#include "site-servers/checks/drive_in_force.h"
#include "site-servers/checks/minimum_jerk_profile.h"
#include "site-servers/checks/rest_statistics.h"
#include "site-servers/checks/startup_check_settings.h"
#include "site-servers/checks/startup_finding.h"
#include "site-servers/safety/safety_gate.h"

namespace trestle::checks {

/// Checks a rig before it is armed, tick by tick: its readings at rest, and, one actuator
/// after the other, whether displacement and force follow a small slow motion with the sign
/// of a specimen that resists. Afterwards every actuator is where it was.
///
/// All drives go through a safety gate with the limits that hold; its first fault ends the
/// checks and the rig holds. What is outside its limits at rest is refused always.
///
/// Each object checks once. A simulated rig must be prepared again afterwards, otherwise
/// its record would contain these motions.
class StartupChecks {
 public:
  /// @param limits     that hold, one per actuator; empty: none
  /// @param actuators  of the rig, with the kinds that the test gives them
  /// @param tick       control tick δt [s], > 0
  /// @throws SettingError  if a list has another length, or a motion does not fit the
  ///                       limit of displacement
  StartupChecks(const StartCheckSettings& settings, const RigLimits& limits,
                const std::vector<ActuatorDescription>& actuators, double tick);

  /// The last drive before these checks, and the position of the rig at that time. If the
  /// rig is still there, the first drive is that one and not the measurement. @pre  before
  /// the first tick
  void stood(const DriveInForce& before) { stood_ = before; }

  /// One control tick, read and write. Neither waits nor allocates.
  /// @param now  a whole number of ticks from the first call
  /// @returns false if it was the last: refusal() knows
  bool tick(SiteAdapter& adapter, TimePoint now) noexcept;

  /// Why the rig may not be armed, with actuator, number, limit and what to do. Empty: it
  /// may. @pre  tick() returned false
  std::string refusal() const { return refusal_of(finding_, actuators_); }

  /// Returns the last drive of the rig. @pre  tick() was called
  const ActuatorVector& drive() const noexcept { return gate_.last_drive(); }
  const ActuatorVector& measured() const noexcept { return sensed_.displacement; }

  /// Executes all ticks in one call, for a rig without real time.
  /// @returns refusal()
  std::string run(SiteAdapter& adapter);

 private:
  enum class Phase : std::uint8_t { kRest, kOut, kSettleOut, kMoved, kBack, kSettleBack };
  using What = StartupFinding::What;
  /// Both transducers of each actuator, while it stands still.
  struct Readings {
    void begin() noexcept {
      displacement.begin();
      force.begin();
    }
    void add(const Measurement& sensed) noexcept {
      displacement.add(sensed.displacement);
      force.add(sensed.force);
    }
    RestStatistics displacement;
    RestStatistics force;
  };

  bool end(SiteAdapter& adapter, const StartupFinding& finding) noexcept;
  std::int64_t length(Phase phase) const noexcept;
  void close_phase() noexcept;
  void look_at_rest() noexcept;
  void look_at_motion() noexcept;
  void find_other(StartupFinding& finding, const RestStatistics& rest,
                  const RestStatistics& moved) const noexcept;
  bool next_actuator() noexcept;
  double offset() const noexcept;

  StartCheckSettings settings_;
  RigLimits limits_;
  std::vector<ActuatorDescription> actuators_;
  double tick_;
  safety::SafetyGate gate_;
  std::int64_t rest_ticks_;
  std::int64_t settle_ticks_;

  Measurement sensed_;
  std::optional<DriveInForce> stood_;
  ActuatorVector base_;  // drive in force where the rig was found
  bool begun_ = false;
  bool over_ = false;
  Phase phase_ = Phase::kRest;
  std::int64_t phase_tick_ = 0;
  int moving_ = -1;  // actuator; -1: none yet
  double travel_ = 0.0;
  MinimumJerkProfile move_;
  Readings rest_;
  Readings moved_;
  StartupFinding finding_;
};

}  // namespace trestle::checks
