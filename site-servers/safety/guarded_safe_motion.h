#pragma once

#include "site-servers/safety/safe_motion.h"
#include "site-servers/safety/safety_gate.h"

namespace trestle::safety {

/// The safe action as it may reach the rig: a SafeMotion behind a separate gate, which
/// checks displacement, rate and acceleration of every drive again. A rejected drive or an
/// invalid measurement ends the action in a permanent hold.
///
/// Lives on the real-time thread; allocates nothing, asserts nothing.
class GuardedSafeMotion {
 public:
  /// As SafeMotion.
  GuardedSafeMotion(const SafeAction& action, const RigLimits& limits, double tick);

  /// @param drive   in force, at which the rig must stop [m | rad]
  /// @param sensed  read last
  /// @param moving  false: hold, whatever the configured action
  void start(const ActuatorVector& drive, const Measurement& sensed, bool moving) noexcept;

  /// Once per tick. @returns the drive of this tick
  ActuatorVector next(const Measurement& sensed) noexcept;

  /// The end, at the last drive.
  void hold() noexcept { motion_.hold(gate_.last_drive()); }
  void cancel() noexcept { motion_.cancel(); }

  bool finished() const noexcept { return motion_.finished(); }
  bool held() const noexcept { return motion_.held(); }
  /// Returns the fault by which its gate rejected a drive.
  const Fault& fault() const noexcept { return gate_.fault(); }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  SafeMotion motion_;
  SafetyGate gate_;
};

}  // namespace trestle::safety
