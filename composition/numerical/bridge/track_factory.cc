#include "composition/numerical/bridge/track_factory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "numerical/bridge/harmonic_profile.h"
#include "numerical/bridge/spline_profile.h"
#include "proto/config/bridge.pb.h"

namespace trestle::composition {
namespace {

constexpr double kWindow = 20.0;  // [m]
constexpr double kTabulated =
    1.0 / 40.0;  // of the shortest wave: heights exact to 3e-10 of it
constexpr double kLowDisturbance = 4.032e-7;   // [m·rad]
constexpr double kHighDisturbance = 1.080e-6;  // [m·rad]
constexpr double kClassA = 16e-6;              // Gd(0.1 1/m) [m³]

/// All of the irregularity times a factor.
class ScaledProfile final : public bridge::TrackProfile {
 public:
  ScaledProfile(std::unique_ptr<const bridge::TrackProfile> profile, double scale)
      : profile_(std::move(profile)), scale_(scale) {}
  bridge::TrackPoint at(double x) const noexcept override {
    const bridge::TrackPoint r = profile_->at(x);
    return {scale_ * r.height, scale_ * r.slope, scale_ * r.curvature};
  }

 private:
  std::unique_ptr<const bridge::TrackProfile> profile_;
  double scale_;
};

template <typename Kind>
bridge::SpectrumLines lines_of(const Kind& kind, const bridge::SpectrumLines& usual,
                               const std::string& path) {
  bridge::SpectrumLines lines = usual;
  if (kind.has_lines()) lines.lines = static_cast<int>(kind.lines());
  if (kind.has_shortest()) lines.shortest = kind.shortest();
  if (kind.has_longest()) lines.longest = kind.longest();
  if (kind.has_seed()) lines.seed = kind.seed();
  require_above_zero(lines.shortest, path + ".shortest");
  if (!(lines.longest > lines.shortest))
    throw SettingError(path + ".longest", "the longest wave, " + in_words(lines.longest) +
                                              " m, is not longer than the shortest, " +
                                              in_words(lines.shortest) + " m");
  return lines;
}

/// Lines of the spectrum; nothing for a track that has none.
struct Spectrum {
  std::function<double(double)> density;
  bridge::SpectrumLines lines;
};

Spectrum spectrum_of(const config::Track& track, const std::string& path) {
  if (track.has_german()) {
    const config::GermanTrack& german = track.german();
    const double usual =
        german.quality() == config::HIGH_DISTURBANCE ? kHighDisturbance : kLowDisturbance;
    return {bridge::german_density(german.has_roughness() ? german.roughness() : usual),
            lines_of(german, {600, 1.5, 80.0, 1}, path + ".german")};
  }
  if (track.has_chinese_ballastless())
    return {bridge::chinese_ballastless_density(),
            lines_of(track.chinese_ballastless(), {600, 2.0, 80.0, 1},
                     path + ".chinese_ballastless")};
  if (track.has_iso8608()) {
    const config::Iso8608& road = track.iso8608();
    const double usual = kClassA * std::pow(4.0, road.class_());
    return {bridge::iso8608_density(road.has_roughness() ? road.roughness() : usual),
            lines_of(road, {400, 0.25, 50.0, 1}, path + ".iso8608")};
  }
  return {};
}

std::unique_ptr<const bridge::TrackProfile> measured(const config::Track& track,
                                                     const TrackExtent& needed,
                                                     double window, const std::string& path,
                                                     bridge::ProfileChecks checks) {
  const config::MeasuredTrack& given = track.measured();
  const std::string here = path + ".measured.file";
  const double unit = given.has_unit() ? given.unit() : 1.0;
  auto profile = std::make_unique<bridge::SplineProfile>(
      bridge::read_profile(given.file(), unit, given.origin(), here, checks));
  constexpr double kRounding = 1e-9;
  if (profile->begin() > needed.begin + kRounding ||
      profile->end() < needed.end - kRounding)
    throw SettingError(
        here, given.file() + " covers x from " + in_words(profile->begin()) + " m to " +
                  in_words(profile->end()) + " m of the bridge's; needed are " +
                  in_words(needed.begin) + " m to " + in_words(needed.end) + " m" +
                  (window > 0.0 ? ", the window of " + in_words(window) +
                                      " m on either side included"
                                : ": without a window the whole way of all wheels"));
  return profile;
}

}  // namespace

std::unique_ptr<const bridge::TrackProfile> make_track(const config::Track& track,
                                                       const TrackExtent& extent,
                                                       const std::string& path,
                                                       bridge::ProfileChecks checks) {
  const double window = track.has_window() ? track.window() : kWindow;
  const double scale = track.has_scale() ? track.scale() : 1.0;
  if (!std::isfinite(scale)) throw SettingError(path + ".scale", "is no finite number");
  TrackExtent needed = extent;
  if (window > 0.0) {
    needed.begin = -window;
    needed.end = extent.bridge + window;
  }
  std::unique_ptr<const bridge::TrackProfile> profile;
  if (track.has_measured()) {
    profile = measured(track, needed, window, path, checks);
  } else if (const Spectrum spectrum = spectrum_of(track, path); spectrum.density) {
    const bridge::HarmonicProfile waves(bridge::waves_of(spectrum.density, spectrum.lines));
    profile = bridge::tabulate(waves, needed.begin, needed.end,
                               spectrum.lines.shortest * kTabulated);
  }
  if (!profile) return nullptr;
  if (scale != 1.0) profile = std::make_unique<ScaledProfile>(std::move(profile), scale);
  if (window <= 0.0) return profile;
  return bridge::windowed(std::move(profile), 0.0, extent.bridge, window);
}

double shortest_wave(const config::Track& track) {
  const Spectrum spectrum = spectrum_of(track, "track");
  return spectrum.density ? spectrum.lines.shortest : 0.0;
}

}  // namespace trestle::composition
