#pragma once

#include <vector>

#include "core/types/interface_layout.h"
#include "site-servers/trajectory/trajectory_generator.h"

namespace trestle::trajectory {

/// Settings of a pseudo-dynamic step.
struct RampSettings {
  double tick = 0.0;            ///< control tick δt [s], > 0
  double rate = 5e-3;           ///< peak of the ramp, of translations [m/s], > 0
  double rotation_rate = 5e-3;  ///< peak of the ramp, of rotations [rad/s], > 0
  double settle = 0.1;          ///< rest before measuring [s], >= 0
  double average = 0.02;        ///< of measuring [s], >= 0; at least one tick
};

/// The motion of a pseudo-dynamic test: all DOFs together on one straight line from the
/// last target to the new one, 3s² − 2s³, so that it begins and ends at rest; then a rest;
/// then the ticks that are measured. The ramp takes as many ticks as its slowest DOF needs
/// to stay below the rates, its own limits of rate and acceleration included: a function of
/// the distance alone, never of the arrival of messages. Measurements are taken at rest: a
/// compensator should not lead the ramp, so its rates are reported as zero.
class RampHoldTrajectory final : public TrajectoryGenerator {
 public:
  /// @param layout  controlled DOFs, with their limits of rate and acceleration
  RampHoldTrajectory(const InterfaceLayout& layout, const RampSettings& settings);

  void start(const InterfaceVector& displacement) noexcept override;
  void aim(const InterfaceMotion& target, int ticks) noexcept override;
  InterfaceMotion next() noexcept override;
  bool arrived() const noexcept override { return tick_ >= ramp_ + settle_ + average_; }
  bool measuring() const noexcept override { return tick_ > ramp_ + settle_; }
  bool timeless() const noexcept override { return true; }
  int remaining_ticks() const noexcept override {
    return ramp_ + settle_ + average_ - tick_;
  }
  TrajectoryPhase phase() const noexcept override {
    return arrived() ? TrajectoryPhase::kAtTarget : TrajectoryPhase::kMoving;
  }
  void hold() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// Ticks that are averaged, at least one.
  int averaged_ticks() const noexcept { return average_; }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  double tick_length_;
  std::vector<double> rates_;          // per DOF
  std::vector<double> accelerations_;  // per DOF
  int settle_;                         // ticks
  int average_;                        // ticks
  InterfaceVector from_;
  InterfaceVector to_;
  int ramp_ = 0;  // ticks
  int tick_ = 0;  // of the step, done
};

}  // namespace trestle::trajectory
