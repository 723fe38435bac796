#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "numerical/bridge/track_profile.h"

namespace trestle::bridge {

/// One line of a spectrum.
struct TrackWave {
  double amplitude = 0.0;  ///< [m]
  double number = 0.0;     ///< wave number [rad/m]
  double phase = 0.0;      ///< [rad]
};

/// r(x) = Σ amplitude cos(number x + phase).
class HarmonicProfile final : public TrackProfile {
 public:
  explicit HarmonicProfile(std::vector<TrackWave> waves) : waves_(std::move(waves)) {}
  TrackPoint at(double x) const noexcept override;
  const std::vector<TrackWave>& waves() const noexcept { return waves_; }

 private:
  std::vector<TrackWave> waves_;
};

/// How a spectrum becomes lines: at the midpoints of `lines` equal parts of the band, with
/// the phases 2π u_i that SplitMix64 (Steele, Lea and Flood 2014) gives from this seed.
struct SpectrumLines {
  int lines = 600;
  double shortest = 1.5;  ///< wave length [m]
  double longest = 80.0;  ///< [m]
  std::uint64_t seed = 1;
};

/// @param density  one-sided spectral density over f [m²/(1/m)], f in [1/m]
std::vector<TrackWave> waves_of(const std::function<double(double f)>& density,
                                const SpectrumLines& lines);

/// German low- or high-disturbance track (Ω in rad/m), here over f = Ω/2π:
/// S(Ω) = A Ωc²/((Ω² + Ωr²)(Ω² + Ωc²)), Ωc = 0.8246, Ωr = 0.0206 rad/m.
/// @param roughness  A [m·rad]
std::function<double(double)> german_density(double roughness);

/// High-speed ballastless track of China, vertical profile (TB/T 3352-2014): A f⁻ⁿ in four
/// ranges of f.
std::function<double(double)> chinese_ballastless_density();

/// ISO 8608: Gd(f) = Gd(0.1 1/m) (f/0.1)⁻².
/// @param roughness  Gd(0.1 1/m) [m³]
std::function<double(double)> iso8608_density(double roughness);

}  // namespace trestle::bridge
