#pragma once

#include <Eigen/Core>
#include <vector>

#include "studies/identification/vehicle_model.h"

namespace trestle::identification {

inline constexpr double kGravity = 9.81;  ///< of the sources' examples [m/s²]

/// A vehicle of certain values: M y'' + C z' + K z = 0 over z = (y, u), and what the axles
/// weigh on the ground at rest.
struct VehicleMatrices {
  Eigen::MatrixXd mass;       ///< freedoms × freedoms
  Eigen::MatrixXd damping;    ///< (freedoms + axles) squared
  Eigen::MatrixXd stiffness;  ///< likewise
  Eigen::VectorXd weight;     ///< per axle [N], positive down
};

/// @param values  one per element
/// @throws std::runtime_error if the springs do not carry the vehicle
VehicleMatrices vehicle_matrices(const VehicleModel& model, const Eigen::VectorXd& values);

/// d(weight)/d(value), one column per element of `unknown`.
Eigen::MatrixXd weight_derivatives(const VehicleModel& model,
                                   const VehicleMatrices& matrices,
                                   const std::vector<Eigen::Index>& unknown);

/// (freedoms, contacts) of an element in one vector.
Eigen::VectorXd element_shape(const VehicleElement& element);

}  // namespace trestle::identification
