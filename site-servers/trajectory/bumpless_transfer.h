#pragma once

#include "core/base/snapshot.h"
#include "core/types/actuator_vector.h"
#include "core/types/limits.h"

namespace trestle::trajectory {

/// Bumpless transfer: after a rest the command starts at its present value, at rest, and
/// joins the wanted motion without a jump of displacement or velocity.
///
/// With H the place held, D the way from there to what is wanted and V its velocity when it
/// begins, s = t/T:
///
///   command = (1 − b)·H + b·wanted,   b = s³·(10 − 15s + 6s²)
///
/// The command lies between H and what is wanted, whatever that does, as long as it is not
/// too fast: no velocity is extrapolated. Of a straight path it is as fast as 1.875·D/T
/// + 1.73·V, and as bent as 5.78·D/T² + 4.6·V/T. T is a tenth of a second, or so long that
/// D's part of the first stays below a tenth of the rate's limit and the second below a
/// tenth of the acceleration's.
///
/// It begins when what is wanted no longer jumps, a tenth of a second late at most: a
/// compensator relates the first targets after a rest to those before it. Until the command
/// is there, for 2·T at most, it changes no faster than 95 % of the rate's limit, all
/// actuators in proportion, and lags then: the first forces after a rest are those of
/// another place, and a compensator leads by them.
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
  double most(Eigen::Index actuator) const noexcept;
  bool jumps(const ActuatorVector& way) const noexcept;
  void plan(const ActuatorVector& distance, const ActuatorVector& way) noexcept;
  bool bound(ActuatorVector& command, const ActuatorVector& before) const noexcept;

  RigLimits limits_;
  double tick_;
  bool begins_ = false;
  double done_ = 0.0;    // [ticks]
  double length_ = 0.0;  // T [ticks]; 0: nothing is left
  ActuatorVector held_;  // H [m | rad]
  ActuatorVector last_;  // what was wanted when it began, or in the tick before [m | rad]
};

}  // namespace trestle::trajectory
