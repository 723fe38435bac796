#pragma once

#include <string>
#include <vector>

#include "proto/config/identification.pb.h"
#include "studies/identification/girder.h"
#include "studies/identification/vehicle_model.h"
#include "studies/identification/vehicle_passage.h"

namespace trestle::identification {

/// One pass: the motion of the vehicle, and the readings, if a record exists.
struct CrossingPlan {
  PassageSettings settings;
  Eigen::VectorXd measured;  ///< as Response::values; empty: synthetic
};

/// @throws SettingError for a sensor beside the bridge
std::vector<Sensor> bridge_sensors(const config::Identification& study,
                                   const Girder& girder);

/// Pass `at` of the study. Says what is wrong with its record: too short for the vehicle,
/// too coarse for the speed, nothing but zeros, times that do not go evenly.
/// @throws SettingError
CrossingPlan crossing_plan(const config::Identification& study, int at,
                           const Girder& girder, const VehicleModel& vehicle);

}  // namespace trestle::identification
