#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>

#include "core/math/kalman_observer.h"
#include "core/math/plant_model.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/path_program.h"
#include "site-servers/compensators/per_actuator.h"

namespace trestle::compensators {

/// Several values are of the commands and displacements of one actuator [m | rad].
struct PredictiveControlSettings {
  double tick = 0.0;                       ///< control tick δt [s], > 0
  math::ObservedPlantSettings plant = {};  ///< from the commands to the displacements
  double drift = 5.0;                      ///< f of the disturbance [Hz], > 0
  double horizon = 20e-3;                  ///< beyond the plant's delay [s]
  int moves = 5;                           ///< M, 1 ... LimitedPath::kMostKnots
  double change_weight = 0.1;              ///< w, > 0
  PerActuator stroke = std::numeric_limits<double>::infinity();  ///< [m | rad]
  PerActuator rate = std::numeric_limits<double>::infinity();    ///< [m/s | rad/s]
  int iterations = 100;                                          ///< n of PathProgram, >= 1
};

/// Model-predictive control of the displacements of all actuators at once. In each tick it
/// chooses the commands u ahead that minimise
///
///   Σⱼ |y[k+D+j] − r(D+j)|² + w·Σⱼ |u[k+j−1] − u[k+j−2]|²,   j = 1 ... N,
///   r(j) = x + ẋ·(j−1)·δt,   x, ẋ the target of this tick,
///
/// with |u| <= stroke and |u[i] − u[i−1]| <= rate·δt, and gives the first; y of the plant
/// as it was identified, D its delay in ticks: the specimen reaches the target of a tick at
/// the end of that tick. The N = b·M ticks of the horizon are M moves of b ticks. In each
/// the command is a straight line, so that limits at the M knots are limits in every tick.
/// The state, and a disturbance d of the commands that drifts, are from a steady-state
/// Kalman filter of measured displacements and of the commands that were in force,
/// also those of others; with d the displacement at rest is the target's whatever the
/// plant's gain is (Pannocchia and Rawlings 2003, doi:10.1002/aic.690490213).
///
/// The knots v minimise ½(v − v°)ᵀH(v − v°) within the limits, v° = the optimum without
/// limits = K·(x̂, d̂, last command, target); PathProgram has the iterations and their bound.
/// Without limits the command is v° exactly: that of a linear-quadratic regulator of the
/// same horizon. A command never leaves the limits, however few iterations there are. With
/// a last command beyond the stroke it returns at the rate.
///
/// Time of a tick: with m actuators, n states and q = m·M knots, (n + q)·(n + 3m)
/// multiplications for observer and v°. A limit adds, with as many iterations in every
/// tick, iterations·q·(q + 2) multiplications and at most (iterations + 1)·12·q·(M + 1)
/// comparisons and additions. Allocates nothing, keeps no iterate from tick to tick.
///
/// After Tsokanas, Wagg and Stojadinović (2020), doi:10.3389/fbuil.2020.00127 (a robust
/// predictive controller, polynomial extrapolation of the target, a Kalman filter), and
/// Nordtorp, Dertimanis, Abbiati and Chatzi (preprint), doi:10.31224/7437. Of both the
/// abstract was at hand here, no equation. The preprint poses the coordination as
/// regulation of compatibility and of equilibrium at once, which is not done here: a
/// compensator knows neither the numerical substructure nor the force. Chosen here: the
/// cost, and the change of the command in place of the command in it; the target ahead by
/// its velocity alone (its acceleration answers a force that was measured some ticks ago:
/// carried over the horizon it closes a second loop, which on the multi-axial benchmark ran
/// into a limit cycle with 1 or 3 ticks of latency); straight lines and their exact limits;
/// condensing; the solver; that a design whose loop with the plant as modelled does not
/// decay is refused.
class PredictiveControl final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  PredictiveControl(int actuators, const PredictiveControlSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  /// @returns empty: the command depends on what is measured
  std::optional<LinearCompensatorModel> linearise(int /*actuator*/) const override {
    return std::nullopt;
  }
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  const PathProgram& program() const noexcept { return program_; }

 private:
  struct Design;
  static Design make_design(int actuators, const PredictiveControlSettings& settings);
  PredictiveControl(int actuators, const PredictiveControlSettings& settings,
                    Design design);
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void start(const ActuatorVector& measured, const ActuatorVector& last_command) noexcept;

  math::KalmanObserver observer_;  // of the plant's states and of d
  PathProgram program_;
  Eigen::MatrixXd by_state_;    // v° per x̂ and d̂
  Eigen::MatrixXd by_command_;  // v° per last command
  Eigen::MatrixXd by_target_;   // v° per x, ẋ of all actuators
  Eigen::MatrixXd at_rest_;     // states, and below them command, per displacement
  ActuatorVector step_;         // most change in a tick
  ActuatorVector stroke_;
  double part_;         // 1/b: of the first move in a tick
  Eigen::Index knots_;  // M
  Eigen::VectorXd start_state_;
  Eigen::VectorXd target_;
  Eigen::VectorXd optimum_;
  bool started_ = false;
};

}  // namespace trestle::compensators
