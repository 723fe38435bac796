#include "numerical/bridge/harmonic_profile.h"

#include <array>
#include <cmath>
#include <numbers>

namespace trestle::bridge {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Uniform in [0, 1) in steps of 2⁻⁵³.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  double next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    bits ^= bits >> 31U;
    return static_cast<double>(bits >> 11U) * 0x1.0p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

TrackPoint HarmonicProfile::at(double x) const noexcept {
  TrackPoint r;
  for (const TrackWave& wave : waves_) {
    const double angle = wave.number * x + wave.phase;
    const double cosine = wave.amplitude * std::cos(angle);
    r.height += cosine;
    r.slope -= wave.amplitude * wave.number * std::sin(angle);
    r.curvature -= wave.number * wave.number * cosine;
  }
  return r;
}

std::vector<TrackWave> waves_of(const std::function<double(double)>& density,
                                const SpectrumLines& lines) {
  SplitMix64 random(lines.seed);
  const double lowest = 1.0 / lines.longest;
  const double part = (1.0 / lines.shortest - lowest) / lines.lines;
  std::vector<TrackWave> waves;
  for (int i = 0; i < lines.lines; ++i) {
    const double f = lowest + (i + 0.5) * part;
    waves.push_back({std::sqrt(2.0 * density(f) * part), kTurn * f, kTurn * random.next()});
  }
  return waves;
}

std::function<double(double)> german_density(double roughness) {
  constexpr double kCut = 0.8246;
  constexpr double kRolled = 0.0206;
  return [roughness](double f) {
    const double square = kTurn * f * kTurn * f;
    return kTurn * roughness * kCut * kCut /
           ((square + kRolled * kRolled) * (square + kCut * kCut));
  };
}

std::function<double(double)> chinese_ballastless_density() {
  struct Range {
    double below, A, n;  // [1/m], [mm²·(1/m)ⁿ⁻¹]
  };
  return [](double f) {
    constexpr std::array<Range, 4> kRanges{{{0.0187, 1.0544e-5, 3.3891},
                                            {0.0474, 3.5588e-3, 1.9271},
                                            {0.1533, 1.9784e-2, 1.3643},
                                            {HUGE_VAL, 3.9488e-4, 3.4516}}};
    for (const Range& range : kRanges)
      if (f < range.below) return 1e-6 * range.A * std::pow(f, -range.n);
    return 0.0;
  };
}

std::function<double(double)> iso8608_density(double roughness) {
  return [roughness](double f) {
    return roughness * 0.01 / (f * f);
  };
}

}  // namespace trestle::bridge
