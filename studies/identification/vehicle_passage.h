#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "studies/identification/girder.h"
#include "studies/identification/vehicle_matrices.h"

namespace trestle::identification {

enum class Measures { kDisplacement, kVelocity, kAcceleration, kStrain };

struct Sensor {
  std::string name;
  double at = 0.0;  ///< [m]
  Measures measures = Measures::kDisplacement;
  double gauge_arm = 1.0;  ///< from the neutral axis to the gauge [m]; strain = −arm · w''
};

struct PassageSettings {
  double speed = 0.0;            ///< [m/s], > 0
  double sampling_period = 0.0;  ///< [s], > 0
  int substeps = 1;              ///< time steps in a sampling period
  int samples = 0;               ///< > 1
  double first_sample = 0.0;     ///< after the first axle's entry [s], >= 0
  double approach = 0.0;         ///< on firm ground before the bridge, begun at rest [m]
};

/// The road's height (and slope) under every axle at every time step.
struct RoadInput {
  Eigen::MatrixXd height;  ///< steps × axles [m], positive down
  Eigen::MatrixXd slope;   ///< steps × axles [1]
};

/// The readings of the sensors, sample by sample, all sensors of a sample together.
struct Response {
  Eigen::VectorXd values;
  Eigen::MatrixXd sensitivities;  ///< one column per unknown element, then per road shape
};

/// One vehicle over the girder at constant speed: Newmark's average acceleration with the
/// contact at the step's end, and the direct sensitivities of the same step (specification
/// of the vehicle-bridge systems B1, B2).
///
/// In the girder's own modes only the contact forces couple it to the vehicle, so the
/// effective matrix of a step shrinks to freedoms + axles; it is factored once per step and
/// solved for the motion and every sensitivity.
class VehiclePassage {
 public:
  /// @param girder, sensors  the girder must live as long as this
  VehiclePassage(const Girder& girder, std::vector<double> axle_offsets,
                 std::vector<Sensor> sensors, const PassageSettings& settings);

  const PassageSettings& settings() const { return settings_; }
  const std::vector<Sensor>& sensors() const { return sensors_; }
  Eigen::Index step_count() const {
    return positions_.rows();
  }                                  ///< instants, start included
  Eigen::Index value_count() const;  ///< samples × sensors
  /// Returns the position of each axle at each instant [m]: steps × axles.
  const Eigen::MatrixXd& positions() const { return positions_; }

  /// @param unknown  elements to differentiate by
  /// @param shapes   road shapes to differentiate by: the response to one metre of each
  Response respond(const VehicleModel& vehicle, const Eigen::VectorXd& values,
                   const RoadInput& road, const std::vector<Eigen::Index>& unknown,
                   const std::vector<RoadInput>& shapes) const;

 private:
  const Girder& girder_;
  PassageSettings settings_;
  std::vector<Sensor> sensors_;
  Eigen::Index lead_steps_ = 0;  // before the first sample
  double step_ = 0.0;
  Eigen::MatrixXd positions_;
  Eigen::MatrixXd contact_shapes_;  // modes × (steps · axles)
  Eigen::MatrixXd contact_slopes_;  // likewise
  Eigen::MatrixXd sensor_shapes_;   // modes × sensors
  Eigen::ArrayXd flexibility_;      // 1 / (effective stiffness), per mode
};

}  // namespace trestle::identification
