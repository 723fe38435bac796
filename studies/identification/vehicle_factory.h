#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "proto/config/identification.pb.h"
#include "studies/identification/vehicle_model.h"

namespace trestle::identification {

/// A vehicle as the study describes it.
struct VehicleUnknowns {
  VehicleModel model;
  Eigen::VectorXd values;                    ///< known, or guessed
  std::vector<Eigen::Index> unknown;         ///< elements that are looked for
  std::vector<std::optional<double>> truth;  ///< of every element: told, or known
};

/// @param start_factor  on all guesses
/// @throws SettingError
VehicleUnknowns sought_vehicle(const config::CrossingVehicle& vehicle, double start_factor);

}  // namespace trestle::identification
