#include "core/base/random.h"

#include <cmath>
#include <numbers>

namespace trestle {
namespace {

__extension__ using WideProduct = unsigned __int128;

constexpr int kRounds = 10;
constexpr std::uint64_t kMultiplier0 = 0xD2E7470EE14C6C93U;
constexpr std::uint64_t kMultiplier1 = 0xCA5A826395121157U;
constexpr std::uint64_t kWeyl0 = 0x9E3779B97F4A7C15U;  // golden ratio
constexpr std::uint64_t kWeyl1 = 0xBB67AE8584CAA73BU;  // sqrt(3) − 1

/// [0, 1) in steps of 2⁻⁵³.
double fraction(std::uint64_t bits) noexcept {
  return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

}  // namespace

std::uint64_t stream_id(std::string_view name) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char letter : name) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001B3U;
  }
  return hash;
}

std::array<std::uint64_t, 4> random_bits(const RandomKey& place) noexcept {
  std::array<std::uint64_t, 4> counter{place.index, place.channel, 0, 0};
  std::uint64_t key0 = place.seed;
  std::uint64_t key1 = place.stream;
  for (int round = 0; round < kRounds; ++round) {
    const auto product0 = static_cast<WideProduct>(kMultiplier0) * counter[0];
    const auto product1 = static_cast<WideProduct>(kMultiplier1) * counter[2];
    counter = {static_cast<std::uint64_t>(product1 >> 64U) ^ counter[1] ^ key0,
               static_cast<std::uint64_t>(product1),
               static_cast<std::uint64_t>(product0 >> 64U) ^ counter[3] ^ key1,
               static_cast<std::uint64_t>(product0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return counter;
}

double uniform(const RandomKey& place) noexcept {
  return fraction(random_bits(place)[0]);
}

double standard_normal(const RandomKey& place) noexcept {
  const std::array<std::uint64_t, 4> bits = random_bits(place);
  const double radius = std::sqrt(-2.0 * std::log(1.0 - fraction(bits[0])));
  return radius * std::cos(2.0 * std::numbers::pi * fraction(bits[1]));
}

}  // namespace trestle
