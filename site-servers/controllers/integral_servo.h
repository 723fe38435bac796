#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/math/kalman_observer.h"
#include "core/ports/linear_models.h"
#include "core/types/actuator_vector.h"

namespace trestle::controllers {

/// J = Σ (integral |ξ|² + output |y|² + drive |u|²)·tick, ξ the integral of the error.
struct ServoWeights {
  double integral = 0.0;  ///< > 0 [1/s²]
  double output = 1.0;    ///< >= 0
  double drive = 1.0;     ///< > 0
};

/// u = −state·x + integral·ξ.
struct ServoGains {
  Eigen::MatrixXd state;
  Eigen::MatrixXd integral;
};

/// The feedback that makes J least for x[k+1] = A x[k] + B u[k], ξ[k+1] = ξ[k] − tick·C
/// x[k]: a type-1 servo, by the discrete Riccati equation.
/// @param plant  D = 0; as many outputs as inputs
/// @param path   of the weights and of `plant`
/// @throws SettingError for a weight outside its range, and where the plant cannot be held
///         at every position or not be stabilised
ServoGains design_servo(const math::DiscreteStateSpace& plant, const ServoWeights& weights,
                        const std::string& path);

/// The signal whose error the integral sums.
enum class IntegralErrorSource : std::uint8_t {
  kMeasured,   ///< command − measured: exact at rest whatever the plant is
  kEstimated,  ///< command − observed displacement: quieter, exact for the plant as
               ///< modelled
};

struct ServoSettings {
  double tick = 0.0;  ///< control tick δt [s], > 0
  math::ObservedPlantSettings plant = {};
  ServoWeights weights = {};
  /// The limit of the drive [m | rad]: none, one for all actuators, or one each.
  std::vector<double> drive_limit = {};
  IntegralErrorSource integrand = IntegralErrorSource::kMeasured;
};

/// The common part of the controllers with an observer: Kalman observer, integral of the
/// error, state feedback, and the drive's limit. Once per tick observe(), then apply().
///
/// The integral takes in this tick's error before the drive is formed. Where the drive is
/// limited, the integral is set back to what the limited drive corresponds to (Hanus,
/// Kinnaert and Henrotte 1987), so that it cannot wind up, and the observer receives the
/// drive that the plant gets. The first tick of a run finds observer and integral at rest
/// where the rig stands, so that a rig away from zero is not moved.
class IntegralServo {
 public:
  /// @throws SettingError by the field's name: `plant.model`, `integral_weight`, ...
  IntegralServo(int actuators, const ServoSettings& settings);

  /// With gains of another design; `weights` of the settings are not used.
  /// @param gains  state: one column for each state of discretise_plant(settings.plant)
  /// @pre gains.integral is not singular
  /// @throws SettingError by the field's name
  IntegralServo(int actuators, const ServoSettings& settings, ServoGains gains);

  void observe(const ActuatorVector& command, const ActuatorVector& measured) noexcept;

  /// The optimal drive at this tick, −state·x̂ + integral·ξ [m | rad].
  const ActuatorVector& demand() const noexcept { return demand_; }
  /// The effect of the observer's prediction error in this tick on the demand: state·(x̂ −
  /// x⁻) [m | rad].
  const ActuatorVector& innovation_drive() const noexcept { return surprise_; }

  /// @returns the drive within its limits, which the plant must get [m | rad]
  ActuatorVector apply(const ActuatorVector& drive) noexcept;

  void reset() noexcept;
  /// Returns its linear form below its limits, with a state s that integrates the
  /// prediction error and is added to the drive: s[k] = kept·(s[k−1] + surprise[k]), drive
  /// = demand + s. With kept = 0 it is the servo alone. States: observer, integral, and s
  /// if kept is not 0.
  LinearControllerModel linearise(double kept) const;
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  IntegralServo(int actuators, const ServoSettings& settings, const math::PlantModel& plant,
                ServoGains gains);

  void start(const ActuatorVector& measured) noexcept;

  double tick_;
  IntegralErrorSource integrand_;
  math::KalmanObserver observer_;
  ServoGains gains_;
  ActuatorVector limit_;
  Eigen::MatrixXd integral_from_drive_;  // inverse of gains_.integral
  Eigen::MatrixXd state_at_rest_;        // per displacement held
  Eigen::MatrixXd integral_at_rest_;     // likewise
  Eigen::VectorXd start_state_;
  ActuatorVector error_sum_;  // ξ [m·s | rad·s]
  ActuatorVector demand_;
  ActuatorVector surprise_;
  bool started_ = false;
};

}  // namespace trestle::controllers
