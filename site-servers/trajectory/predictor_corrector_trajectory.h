#pragma once

#include <array>
#include <vector>

#include "core/types/interface_layout.h"
#include "site-servers/trajectory/trajectory_generator.h"

namespace trestle::trajectory {

/// Settings of a continuous test.
struct ContinuousSettings {
  double tick = 0.0;             ///< control tick δt of the wall [s], > 0
  int ticks_per_step = 1;        ///< of the wall: a step takes T = n·δt
  double scale = 1.0;            ///< wall time over structure's time, >= 1
  int order = 3;                 ///< of the predictor, 1 to 4
  double slow_down_after = 0.6;  ///< part of a step, in (0, 1)
  double hold_after = 0.9;       ///< part of a step, in (slow_down_after, 1]
  bool ramp_and_hold = false;    ///< no prediction
};

/// The motion of a test whose targets come late: a predictor continues the motion while the
/// next target is on its way, slows down if it is late, and finally stands still. When the
/// target arrives, a corrector moves to it from the present position. After Nakashima and
/// Masaoka (1999), doi:10.1002/(SICI)1096-9845(199904)28:4<393::AID-EQE823>3.0.CO;2-C, and
/// Schellenberg, Mahin and Fenves (2009), PEER 2009/104, with three differences: it has no
/// jump of velocity at any switch; slowing down is smooth, along the predicted path; and
/// the corrector takes more time where limits of rate or acceleration ask for it.
///
/// Predictor of order p, in steps τ from the last target: the polynomial through the last p
/// targets, this one included, that begins with the velocity in which it was reached. Its
/// progress is 1/T up to `slow_down_after`; from there it falls linearly with the way left
/// to `hold_after`, or later where the DOFs' accelerations do not allow so much. An order
/// whose rate or acceleration would be above a DOF's limit is lowered for that DOF.
/// Corrector: the cubic from the present position and velocity to the target's.
///
/// From tick to tick no DOF goes further than its rate allows, nor changes its way by more
/// than its acceleration allows, whatever the targets: a corrector that would takes longer,
/// a predictor that would leaves its path. A target faster than the limit of rate is
/// reached with the limit. Only start() and hold() stop at once.
class PredictorCorrectorTrajectory final : public TrajectoryGenerator {
 public:
  /// @param layout  controlled DOFs, with their limits of rate and acceleration
  PredictorCorrectorTrajectory(const InterfaceLayout& layout,
                               const ContinuousSettings& settings);

  void start(const InterfaceVector& displacement) noexcept override;
  void aim(const InterfaceMotion& target, int ticks) noexcept override;
  InterfaceMotion next() noexcept override;
  bool arrived() const noexcept override { return arrived_; }
  bool measuring() const noexcept override { return arrived_; }
  bool timeless() const noexcept override { return false; }
  int remaining_ticks() const noexcept override;
  TrajectoryPhase phase() const noexcept override { return phase_; }
  void hold() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  static constexpr int kHistory = 4;

  /// x0 + g·τ + c·τ² + d·τ³ + e·τ⁴, per DOF.
  struct Polynomial {
    double g = 0.0, c = 0.0, d = 0.0, e = 0.0;

    double way(double t) const noexcept { return t * (g + t * (c + t * (d + t * e))); }
    double slope(double t) const noexcept {
      return g + t * (2.0 * c + t * (3.0 * d + t * 4.0 * e));
    }
    double bend(double t) const noexcept { return 2.0 * c + t * (6.0 * d + t * 12.0 * e); }
  };

  void begin_prediction() noexcept;
  Polynomial fitted(Eigen::Index dof, int order) const noexcept;
  InterfaceMotion predicted() noexcept;
  double wanted_rate() const noexcept;
  void advance_progress() noexcept;
  InterfaceMotion corrected() noexcept;
  bool within_limits(double duration) const noexcept;
  double required_duration() const noexcept;
  bool is_within_limits(std::size_t dof) const noexcept;
  void arrive() noexcept;

  ContinuousSettings settings_;
  std::vector<double> rates_;          // limits per DOF
  std::vector<double> accelerations_;  // per DOF

  std::array<InterfaceVector, kHistory> targets_;  // newest first
  int known_ = 0;                                  // of them
  std::vector<Polynomial> path_;                   // of the prediction
  double progress_ = 0.0;                          // τ
  double rate_ = 0.0;                              // of τ per tick
  InterfaceMotion now_;                            // of the last tick, wall rates
  InterfaceVector way_;                            // of the last tick
  InterfaceMotion aim_;                            // the target, wall rates
  InterfaceMotion from_;                           // where the corrector began
  int correction_ = 0;                             // its ticks
  int tick_ = 0;                                   // of it, done
  bool correcting_ = false;
  bool arrived_ = true;
  TrajectoryPhase phase_ = TrajectoryPhase::kAtTarget;
};

}  // namespace trestle::trajectory
