#pragma once

#include <memory>

namespace trestle::bridge {

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

/// Tabulates a profile between `begin` and `end` with this spacing; it is zero outside. The
/// table is interpolated by quintics through height, slope and curvature. The error for a
/// wave of length L is at most (2π spacing/L)⁶/46080 of its height. Fast for a profile that
/// is a sum of many waves.
std::unique_ptr<const TrackProfile> tabulate(const TrackProfile& profile, double begin,
                                             double end, double spacing);

}  // namespace trestle::bridge
