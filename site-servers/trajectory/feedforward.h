#pragma once

#include "core/base/snapshot.h"
#include "core/types/motion.h"
#include "site-servers/trajectory/step_interpolator.h"

namespace trestle::trajectory {

/// The part of the target that the integrator knew in advance, and the command for it, tick
/// by tick. The compensator does not see this part; its command is added after the
/// compensator.
///
/// Between steps the part runs like every target (StepInterpolator), the command along a
/// straight line, since it comes without velocities. A step without feed-forward has zero.
class Feedforward {
 public:
  /// As StepInterpolator.
  Feedforward(int dofs, double time_step, int ticks_per_step) noexcept;

  /// None so far.
  void start() noexcept;

  /// The next step.
  /// @param part     known part of the target; size zero: none
  /// @param command  the command for it; size zero: none [m | rad]
  void aim(const InterfaceMotion& part, const InterfaceVector& command) noexcept;

  /// The next step never came: the part comes to rest as its target does
  /// (InterpolatedTrajectory), the command stands.
  void decelerate_to_rest() noexcept;

  /// This step has a part or a command, or leaves one.
  bool active() const noexcept { return active_; }

  /// @param tick  1 ... ticks per step
  InterfaceMotion target_at(int tick) const noexcept { return part_.at(tick); }
  InterfaceVector command_at(int tick) const noexcept;  ///< [m | rad]

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  double time_step_;
  int ticks_;
  StepInterpolator part_;
  InterfaceVector command_from_;
  InterfaceVector command_to_;
  bool given_ = false;  // by the newest step
  bool active_ = false;
};

}  // namespace trestle::trajectory
