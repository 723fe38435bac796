#pragma once

#include <vector>

#include "numerical/bridge/harmonic_profile.h"
#include "studies/identification/vehicle_passage.h"

namespace trestle::identification {

/// A profile under the axles of a passage, positive down as the vehicle's motion.
RoadInput road_under(const VehiclePassage& passage, const bridge::TrackProfile& profile);

/// An unknown road: harmonics of a period, each as cosine and sine, with the deviation that
/// its class expects: √(Gd(n) / period).
/// @param roughness  Gd(0.1 1/m) [m³]
std::vector<bridge::HarmonicProfile> unknown_shapes(double roughness, double period,
                                                    int waves);

}  // namespace trestle::identification
