#pragma once

#include "core/base/snapshot.h"
#include "core/types/actuator_vector.h"
#include "core/types/limits.h"

namespace trestle::trajectory {

/// Bumpless transfer: after a rest the command starts at its present value, at rest, and
/// joins the wanted motion without a jump of displacement or velocity.
///
/// With D the difference at the beginning, V the velocity of the wanted motion, s = t/T:
///
///   command = wanted + D·(1 − s)⁴·(1 + 4s) − V·T·s·(1 − s)⁴
///
/// which is steeper than `wanted` by at most 2.11·D/T + 0.216·V, and more bent by at most
/// 20·D/T² + 8·V/T. T is a tenth of a second, or so long that the first stays below
/// a tenth of the rate's limit (but for V's part) and the second below a tenth of the
/// acceleration's. Meanwhile, and until it is there, for 2·T at most, no command changes
/// faster than 95 % of the rate's limit: what is wanted may jump, because a compensator
/// leads by the acceleration of the target, and the first forces after a rest are those of
/// another place.
///
/// Lives on the real-time thread.
class BumplessTransfer {
 public:
  /// @param limits  one per actuator: rate and acceleration
  /// @param tick    control tick δt [s], > 0
  BumplessTransfer(const RigLimits& limits, double tick);

  /// The next commands go on from the one that was in force.
  void begin() noexcept;
  void cancel() noexcept;
  /// Something is left to join.
  bool active() const noexcept { return begins_ || length_ > 0.0; }

  /// Once per tick.
  /// @param wanted  [m | rad]
  /// @param before  the command that was in force last [m | rad]
  /// @returns       the command [m | rad]; `wanted`, bit for bit, where nothing is left
  ActuatorVector pass(const ActuatorVector& wanted, const ActuatorVector& before) noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  double ticks_for(Eigen::Index actuator) const noexcept;
  bool bound(ActuatorVector& command, const ActuatorVector& before) const noexcept;

  RigLimits limits_;
  double tick_;
  bool begins_ = false;
  double done_ = 0.0;          // [ticks]
  double length_ = 0.0;        // [ticks]; 0: nothing is left
  ActuatorVector difference_;  // D [m | rad]
  ActuatorVector way_;         // V·δt [m | rad]
};

}  // namespace trestle::trajectory
