#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerical/bridge/track_profile.h"

namespace trestle::bridge {

/// The natural cubic spline through measured points (de Boor, A Practical Guide to Splines,
/// 2001, ch. IV): slope and curvature are continuous. Zero outside.
class SplineProfile final : public TrackProfile {
 public:
  /// @param places   rising, at least two [m]
  /// @param heights  one each [m]
  SplineProfile(std::vector<double> places, std::vector<double> heights);

  TrackPoint at(double x) const noexcept override;
  double begin() const noexcept { return places_.front(); }  ///< [m]
  double end() const noexcept { return places_.back(); }     ///< [m]

 private:
  std::vector<double> places_;
  std::vector<double> heights_;
  std::vector<double> curvatures_;
};

enum class ProfileChecks : std::uint8_t {
  kAll,
  /// Gaps and further columns pass: a run that was interrupted began with them.
  kFewer,
};

/// Reads two columns, separated by commas, semicolons or blanks: x and r; one header line
/// at most. The points may be uneven. A spacing is a gap above 1.5 times the median of the
/// five spacings on either side if three quarters of these are equal within 25 %; otherwise
/// above 3 times the median of both sides.
/// @param unit    of r in the file [m]
/// @param origin  x in the file where the bridge begins [m]
/// @param path    of the setting, for errors
/// @throws SettingError for a file that cannot be read, has fewer than two points, rows
///         that are not two numbers, heights above 1 km, places that do not rise, or a gap
SplineProfile read_profile(const std::string& file, double unit, double origin,
                           const std::string& path,
                           ProfileChecks checks = ProfileChecks::kAll);

}  // namespace trestle::bridge
