#pragma once

#include "core/base/snapshot.h"
#include "core/types/motion.h"

namespace trestle::trajectory {

/// Makes ticks of steps, in interface coordinates.
///
/// In lock-step the newest target is known when its first tick is due, so nothing has to be
/// predicted: over the n ticks of a step it moves from the last target to the new one on
/// the cubic that has both displacements and both velocities (Hermite), with the velocity
/// of that cubic. The acceleration goes straight from one target's to the next: for a cubic
/// motion that is the same, and it does not magnify what is uneven in the velocities. The
/// last tick is the target itself, bit for bit, with its own velocity and acceleration;
/// with one tick per step that is all it does.
///
/// The first step after start() goes straight from where the rig stands to its target, with
/// the target's velocity and acceleration: the way there is no motion that a compensator
/// should lead, and a transducer's noise divided by a tick is a large velocity.
class StepInterpolator {
 public:
  /// @param dofs            interface DOFs
  /// @param time_step       Δt [s], > 0
  /// @param ticks_per_step  n >= 1
  StepInterpolator(int dofs, double time_step, int ticks_per_step) noexcept;

  /// The rig is at `displacement` [m | rad]: the first step begins there.
  void start(const InterfaceVector& displacement) noexcept;

  /// Like aim(), but starts where a motion with the target's velocity and acceleration
  /// begins, independent of the last target.
  void start_towards(const InterfaceMotion& target) noexcept;

  /// The next step: from the last target to this one.
  void aim(const InterfaceMotion& target) noexcept;

  /// @param tick  1 ... n
  InterfaceMotion at(int tick) const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  double time_step_;
  int ticks_;
  InterfaceMotion from_;
  InterfaceMotion to_;
  bool approaching_ = false;  ///< the step is the first one
  bool aimed_ = false;
};

}  // namespace trestle::trajectory
