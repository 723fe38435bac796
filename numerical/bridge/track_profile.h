#pragma once

#include <memory>

namespace trestle {

/// The irregularity at one place of the track, positive up.
struct TrackPoint {
  double height = 0.0;     ///< r [m]
  double slope = 0.0;      ///< dr/dx
  double curvature = 0.0;  ///< d²r/dx² [1/m]
};

/// Vertical irregularity r(x) of a track, with a continuous second derivative; x from where
/// the bridge begins. at() does not allocate.
class TrackProfile {
 public:
  virtual ~TrackProfile() = default;
  virtual TrackPoint at(double x) const noexcept = 0;
};

/// All of `profile` between `begin` and `end`, nothing further away than `length`; in
/// between on either side it rises by the quintic 6s⁵ − 15s⁴ + 10s³, whose value, slope and
/// curvature are zero at the outer end.
/// @param length  > 0 [m]
std::unique_ptr<const TrackProfile> windowed(std::unique_ptr<const TrackProfile> profile,
                                             double begin, double end, double length);

/// The same between `begin` and `end`, zero outside, from a table with this spacing:
/// quintic in between, through height, slope and curvature at either end. Of a wave of this
/// length L the height is wrong by (2π spacing/L)⁶/46080 of it at most. Quick, where the
/// profile is a sum of many waves.
std::unique_ptr<const TrackProfile> tabulate(const TrackProfile& profile, double begin,
                                             double end, double spacing);

}  // namespace trestle
