#pragma once

#include <memory>
#include <string>
#include <vector>

#include "numerical/bridge/harmonic_profile.h"
#include "proto/config/identification.pb.h"

namespace trestle::identification {

/// The range of the axles, and the end of the bridge, which begins at 0 [m].
struct RoadInterval {
  double from = 0.0;
  double to = 0.0;
  double bridge = 0.0;
};

/// A known road; even where the study says so, or nothing.
/// @throws SettingError; also where a measured profile is shorter than the stretch
std::unique_ptr<const bridge::TrackProfile> known_road(const config::CrossedRoad& road,
                                                       const RoadInterval& stretch,
                                                       const std::string& path);

/// The shapes of an unknown road.
std::vector<bridge::HarmonicProfile> unknown_road(const config::UnknownRoad& road,
                                                  const RoadInterval& stretch);

}  // namespace trestle::identification
