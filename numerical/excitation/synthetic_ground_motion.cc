#include "numerical/excitation/synthetic_ground_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace trestle::excitation {
namespace {

constexpr double kInterval = 0.005;  // [s]
constexpr double kRisesUntil = 0.15;
constexpr double kFadesFrom = 0.5;

/// splitmix64 (Steele, Lea and Flood 2014), and normal numbers as the sum of twelve uniform
/// ones: no logarithm, no cosine, whose last bits are the platform's.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}

  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  double uniform() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-53;
  }

  std::uint64_t state_;
};

/// (b₂s² + b₁s + b₀)/(s² + 2ζωs + ω²) by the bilinear transform.
class SecondOrderFilter {
 public:
  SecondOrderFilter(double omega, double damping, double b2, double b1, double b0) {
    const double c = 2.0 / kInterval;
    const double a1 = 2.0 * damping * omega;
    const double a0 = omega * omega;
    const double scale = 1.0 / (c * c + a1 * c + a0);
    feed_[0] = (b2 * c * c + b1 * c + b0) * scale;
    feed_[1] = 2.0 * (b0 - b2 * c * c) * scale;
    feed_[2] = (b2 * c * c - b1 * c + b0) * scale;
    back_[0] = 2.0 * (a0 - c * c) * scale;
    back_[1] = (c * c - a1 * c + a0) * scale;
  }

  double next(double input) {
    const double output = feed_[0] * input + memory_[0];
    memory_[0] = feed_[1] * input - back_[0] * output + memory_[1];
    memory_[1] = feed_[2] * input - back_[1] * output;
    return output;
  }

 private:
  double feed_[3];
  double back_[2];
  double memory_[2] = {0.0, 0.0};
};

double envelope(double share) {
  if (share < kRisesUntil) return (share / kRisesUntil) * (share / kRisesUntil);
  if (share < kFadesFrom) return 1.0;
  const double left = std::max(0.0, (1.0 - share) / (1.0 - kFadesFrom));
  return left * left;
}

void require_positive(double value, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw std::invalid_argument(std::string("synthetic record: ") + what +
                                " must be positive");
}

}  // namespace

GroundMotion synthetic_record(const SyntheticSettings& settings) {
  require_positive(settings.duration, "duration");
  require_positive(settings.peak, "peak");
  require_positive(settings.ground_frequency, "ground_frequency");
  require_positive(settings.ground_damping, "ground_damping");

  const double ground = 2.0 * std::numbers::pi * settings.ground_frequency;
  const double zeta = settings.ground_damping;
  SecondOrderFilter soil(ground, zeta, 0.0, 2.0 * zeta * ground, ground * ground);
  SecondOrderFilter high_pass(0.1 * ground, zeta, 1.0, 0.0, 0.0);
  Noise noise(settings.seed);

  GroundMotion motion;
  const auto count =
      static_cast<std::int64_t>(std::floor(settings.duration / kInterval + 1e-9)) + 1;
  const std::int64_t samples = std::max<std::int64_t>(count, 2);
  double largest = 0.0;
  for (std::int64_t i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) * kInterval;
    const double value =
        envelope(t / settings.duration) * high_pass.next(soil.next(noise.normal()));
    motion.time.push_back(t);
    motion.acceleration.push_back(value);
    largest = std::max(largest, std::abs(value));
  }
  const double factor = largest > 0.0 ? settings.peak / largest : 0.0;
  for (double& a : motion.acceleration) a *= factor;
  return motion;
}

}  // namespace trestle::excitation
