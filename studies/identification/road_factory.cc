#include "studies/identification/road_factory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/setting_error.h"
#include "numerical/bridge/spline_profile.h"
#include "studies/identification/road.h"

namespace trestle::identification {
namespace {

double roughness_of(config::RoadClass road_class) {
  return 16e-6 * std::pow(4.0, static_cast<double>(road_class));
}

std::unique_ptr<const bridge::TrackProfile> iso_road(const config::Iso8608& road,
                                                     const std::string& path) {
  bridge::SpectrumLines lines{400, 0.25, 50.0, 1};
  if (road.has_lines()) lines.lines = static_cast<int>(road.lines());
  if (road.has_shortest()) lines.shortest = road.shortest();
  if (road.has_longest()) lines.longest = road.longest();
  if (road.has_seed()) lines.seed = road.seed();
  if (!(lines.shortest < lines.longest))
    throw SettingError(path + ".iso8608.shortest",
                       "wave is not shorter than the longest one");
  const double roughness =
      road.has_roughness() ? road.roughness() : roughness_of(road.class_());
  return std::make_unique<bridge::HarmonicProfile>(
      bridge::waves_of(bridge::iso8608_density(roughness), lines));
}

std::unique_ptr<const bridge::TrackProfile> measured_road(const config::MeasuredTrack& road,
                                                          const RoadInterval& stretch,
                                                          const std::string& path) {
  const std::string file = path + ".measured.file";
  auto profile = std::make_unique<bridge::SplineProfile>(bridge::read_profile(
      road.file(), road.has_unit() ? road.unit() : 1.0, road.origin(), file));
  if (profile->begin() > stretch.from + 1e-6 || profile->end() < stretch.to - 1e-6) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "profile is too short: it covers %.4g m to %.4g m of the bridge's "
                  "abscissa; the axles run from %.4g m to %.4g m",
                  profile->begin(), profile->end(), stretch.from, stretch.to);
    throw SettingError(file, text);
  }
  return profile;
}

std::unique_ptr<const bridge::TrackProfile> whole_road(const config::CrossedRoad& road,
                                                       const RoadInterval& stretch,
                                                       const std::string& path) {
  if (road.has_iso8608()) return iso_road(road.iso8608(), path);
  if (road.has_measured()) return measured_road(road.measured(), stretch, path);
  return std::make_unique<bridge::HarmonicProfile>(std::vector<bridge::TrackWave>{});
}

}  // namespace

std::unique_ptr<const bridge::TrackProfile> known_road(const config::CrossedRoad& road,
                                                       const RoadInterval& stretch,
                                                       const std::string& path) {
  if (!road.has_window()) return whole_road(road, stretch, path);
  const RoadInterval seen{std::max(stretch.from, -road.window()),
                          std::min(stretch.to, stretch.bridge + road.window()),
                          stretch.bridge};
  return bridge::windowed(whole_road(road, seen, path), 0.0, stretch.bridge, road.window());
}

std::vector<bridge::HarmonicProfile> unknown_road(const config::UnknownRoad& road,
                                                  const RoadInterval& stretch) {
  const double roughness =
      road.has_roughness() ? road.roughness() : roughness_of(road.class_());
  const double period =
      road.has_period() ? road.period() : 2.0 * (stretch.to - stretch.from);
  return unknown_shapes(roughness, period,
                        road.has_waves() ? static_cast<int>(road.waves()) : 60);
}

}  // namespace trestle::identification
