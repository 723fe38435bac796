#pragma once

#include <memory>
#include <string>

#include "numerical/bridge/spline_profile.h"
#include "numerical/bridge/track_profile.h"

namespace trestle::config {
class Track;
}  // namespace trestle::config

namespace trestle::composition {

/// The range of the wheels, x from the beginning of the bridge [m].
struct TrackExtent {
  double bridge = 0.0;  ///< its length
  double begin = 0.0;   ///< of the last wheel's way
  double end = 0.0;     ///< of the front wheel's way
};

/// @returns null: smooth
/// @param path  of the track in the configuration
/// @throws SettingError for a band that is none, a measured profile that is too short
std::unique_ptr<const bridge::TrackProfile> make_track(
    const config::Track& track, const TrackExtent& extent, const std::string& path,
    bridge::ProfileChecks checks = bridge::ProfileChecks::kAll);

/// The shortest wave that the irregularity is given for [m]; 0: smooth, or measured.
double shortest_wave(const config::Track& track);

}  // namespace trestle::composition
