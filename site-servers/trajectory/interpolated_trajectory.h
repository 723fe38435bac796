#pragma once

#include "core/types/interface_layout.h"
#include "site-servers/trajectory/step_interpolator.h"
#include "site-servers/trajectory/trajectory_generator.h"

namespace trestle::trajectory {

/// The motion of lock-step and of real time: a step is a fixed number of ticks, and its
/// target is known when its first tick is due (StepInterpolator).
///
/// In real time a target may be missing: decelerate_to_rest() then continues from the last
/// target and forgets its velocity with a time constant of 20 ms, without a jump of it. Or
/// ticks never came: skip() keeps the motion's place in time. From either until the next
/// step is reached, what there is to make up for is made up for no faster than three
/// quarters of the DOFs' limits of rate, and the rates that it tells change slowly; a step
/// that ends meanwhile ends behind its target.
class InterpolatedTrajectory final : public TrajectoryGenerator {
 public:
  /// As StepInterpolator.
  InterpolatedTrajectory(int dofs, double time_step, int ticks_per_step) noexcept;
  /// @param layout  controlled DOFs, with their limits of rate
  InterpolatedTrajectory(const InterfaceLayout& layout, double time_step,
                         int ticks_per_step) noexcept;

  void start(const InterfaceVector& displacement) noexcept override;
  void aim(const InterfaceMotion& target, int ticks) noexcept override;
  InterfaceMotion next() noexcept override;
  bool arrived() const noexcept override { return tick_ >= ticks_; }
  bool measuring() const noexcept override { return arrived(); }
  bool timeless() const noexcept override { return false; }
  int remaining_ticks() const noexcept override { return ticks_ - tick_; }
  TrajectoryPhase phase() const noexcept override {
    return arrived() ? TrajectoryPhase::kAtTarget : TrajectoryPhase::kMoving;
  }
  void hold() noexcept override;

  /// The target of the step that is due has not come.
  void decelerate_to_rest() noexcept;

  /// The next step does not begin where this motion is, but where its target comes from.
  void restart() noexcept { anew_ = true; }

  /// Skips a missed tick: the next tick keeps its place in time.
  void skip() noexcept;

  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void bound(const InterfaceMotion& before) noexcept;

  double time_step_;
  int ticks_;
  double kept_;               // of the velocity, over a step without a target
  InterfaceVector farthest_;  // way of one tick that makes up for what was missed
  StepInterpolator path_;
  int tick_;  // of the step, done
  InterfaceMotion last_;
  bool making_up_ = false;  // for a target or for ticks that never came
  bool anew_ = false;       // the next step begins where its target comes from
  bool resting_ = false;    // the step is one that never came
};

}  // namespace trestle::trajectory
