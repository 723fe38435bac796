#pragma once

#include <string>

#include "core/math/state_space.h"

namespace trestle::math {

/// A transfer system as it was identified, and the noise that an observer of it expects.
struct ObservedPlantSettings {
  StateSpace model = {};       ///< from the drives to the measured displacements; D = 0
  double delay = 0.0;          ///< pure delay beside the model [s]; whole ticks
  double process_noise = 0.0;  ///< intensity at the drives, > 0, against
  double sensor_noise = 1.0;   ///< the intensity at the transducers, > 0
};

/// The plant at the control ticks, with scaled states. Its last states are stored drives,
/// which represent the delay exactly:
///
///   x[k+1] = A x[k] + B u[k] + w[k],   y[k] = C x[k] + v[k].
///
/// y[k] is what is measured at the beginning of tick k, u[k] the drive held from then on.
/// w enters where the drives enter the model, with covariance q B Bᵀ/tick; v has the
/// covariance r/tick of white noise of intensity r that is averaged over the tick.
struct PlantModel {
  DiscreteStateSpace system;      ///< D = 0
  Eigen::MatrixXd process_noise;  ///< covariance of w
  Eigen::MatrixXd sensor_noise;   ///< covariance of v

  Eigen::Index states() const noexcept { return system.A.rows(); }
  Eigen::Index drives() const noexcept { return system.B.cols(); }
};

/// @param path  of the settings, for the error
/// @throws SettingError if the model has direct feedthrough, no states or other than as
///         many drives as displacements, the delay is no whole number of ticks, a noise is
///         not above zero
PlantModel discretise_plant(const ObservedPlantSettings& settings, double tick,
                            const std::string& path);

/// The constant gain L of the Kalman filter that corrects a prediction by the measurement
/// of the same tick, x̂ = x⁻ + L (y − C x⁻): L = P Cᵀ (C P Cᵀ + V)⁻¹ with P from the
/// discrete Riccati equation of the dual system.
/// @throws SettingError if a mode that does not decay reaches no transducer
Eigen::MatrixXd kalman_gain(const PlantModel& plant, const std::string& path);

}  // namespace trestle::math
