#include "studies/design/sobol_points.h"

#include <boost/random/sobol.hpp>

#include "core/base/random.h"

namespace trestle::design {
namespace {

/// Turns the first 32 binary digits of a coordinate: whether one is turned depends on the
/// key, the dimension and the digits before it. One draw of 256 bits serves the 255 nodes
/// of a tree of eight digits.
std::uint32_t scrambled(std::uint32_t digits, std::uint64_t seed,
                        std::size_t dimension) noexcept {
  static const std::uint64_t stream = stream_id("design sobol");
  constexpr unsigned kDigits = 32;
  constexpr unsigned kTree = 8;
  std::uint32_t turned = 0;
  for (unsigned above = 0; above < kDigits; above += kTree) {
    const std::uint64_t before = above == 0 ? 0 : digits >> (kDigits - above);
    const auto bits = random_bits({.seed = seed,
                                   .stream = stream,
                                   .channel = dimension * (kDigits / kTree) + above / kTree,
                                   .index = before});
    unsigned node = 1;
    for (unsigned level = 0; level < kTree; ++level) {
      const unsigned shift = kDigits - 1 - above - level;
      const unsigned digit = (digits >> shift) & 1U;
      const auto turn = static_cast<unsigned>((bits[node / 64] >> (node % 64)) & 1U);
      turned |= static_cast<std::uint32_t>(digit ^ turn) << shift;
      node = 2 * node + digit;
    }
  }
  return turned;
}

}  // namespace

struct SobolPoints::Engine {
  boost::random::sobol sequence;
};

SobolPoints::SobolPoints(std::uint64_t seed, std::size_t dimensions, bool scramble)
    : seed_(seed),
      scramble_(scramble),
      engine_(std::make_unique<const Engine>(Engine{boost::random::sobol(dimensions)})) {}

SobolPoints::~SobolPoints() = default;

std::vector<double> SobolPoints::point(std::int64_t index) const {
  boost::random::sobol at = engine_->sequence;  // any thread asks, each for its own
  const std::size_t dimensions = at.dimension();
  std::vector<double> coordinates(dimensions);
  if (!scramble_) {
    if (index > 0) at.seed(static_cast<std::uint64_t>(index));
    for (double& coordinate : coordinates)
      coordinate = static_cast<double>(at() >> 11U) * 0x1.0p-53;
    return coordinates;
  }
  // Boost begins with point 1.
  if (index > 1) at.seed(static_cast<std::uint64_t>(index - 1));
  for (std::size_t i = 0; i < dimensions; ++i) {
    const auto digits = static_cast<std::uint32_t>(index == 0 ? 0 : at() >> 32U);
    coordinates[i] = (static_cast<double>(scrambled(digits, seed_, i)) + 0.5) * 0x1.0p-32;
  }
  return coordinates;
}

}  // namespace trestle::design
