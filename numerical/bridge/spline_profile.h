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
/// at most. The points may be uneven. Where nine of ten spacings are within 10 % of the
/// median of those beside them (five on either side), one above 1.5 times that median, and
/// 1.5 times the third longest beside it, is a gap; otherwise one above ten times the
/// longest beside it.
/// @param unit    of r in the file [m]
/// @param origin  x in the file where the bridge begins [m]
/// @param path    of the setting, for errors
/// @throws SettingError for a file that cannot be read, has fewer than two points, rows
///         that are not two numbers, heights above 1 km, places that do not rise, or a gap
SplineProfile read_profile(const std::string& file, double unit, double origin,
                           const std::string& path,
                           ProfileChecks checks = ProfileChecks::kAll);

}  // namespace trestle::bridge
