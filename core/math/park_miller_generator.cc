#include "core/math/park_miller_generator.h"

#include <cmath>

namespace trestle::math {
namespace {

constexpr std::uint64_t kMultiplier = 16807;
constexpr std::uint64_t kModulus = 2147483647;           // 2³¹ − 1
constexpr double kToUnit = 4.6566128752457969e-10;       // 1 / kModulus
constexpr std::uint32_t kWhereSeedsVanish = 1144108930;  // in place of zero
// One pair in five lies outside the circle; kMostPairs in a row never do.
constexpr int kMostPairs = 256;

std::uint32_t spread(std::uint32_t seed) noexcept {
  const std::uint32_t high = seed >> 16U;
  const std::uint32_t sign = seed & 0x8000U;
  const std::uint32_t state = ((seed - (high << 16U) + sign) << 16U) + sign + high;
  if (state < 1) return kWhereSeedsVanish;
  return state > kModulus - 1 ? static_cast<std::uint32_t>(kModulus - 1) : state;
}

}  // namespace

ParkMillerGenerator::ParkMillerGenerator(std::uint32_t seed) noexcept
    : state_(spread(seed)) {}

double ParkMillerGenerator::uniform() noexcept {
  state_ = static_cast<std::uint32_t>(kMultiplier * state_ % kModulus);
  return static_cast<double>(state_) * kToUnit;
}

double ParkMillerGenerator::next() noexcept {
  for (int pair = 0; pair < kMostPairs; ++pair) {
    const double a = 2.0 * uniform() - 1.0;
    const double b = 2.0 * uniform() - 1.0;
    const double q = a * a + b * b;
    if (q <= 1.0) return a * std::sqrt(-2.0 * std::log(q) / q);
  }
  return 0.0;
}

}  // namespace trestle::math
