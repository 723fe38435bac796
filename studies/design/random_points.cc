#include "studies/design/random_points.h"

#include "core/base/random.h"

namespace trestle::design {

RandomPoints::RandomPoints(std::uint64_t seed, std::size_t dimensions)
    : seed_(seed), dimensions_(dimensions) {}

std::vector<double> RandomPoints::point(std::int64_t index) const {
  static const std::uint64_t stream = stream_id("design random");
  std::vector<double> coordinates;
  coordinates.reserve(dimensions_);
  for (std::size_t i = 0; i < dimensions_; ++i) {
    const std::uint64_t bits = random_bits({.seed = seed_,
                                            .stream = stream,
                                            .channel = i,
                                            .index = static_cast<std::uint64_t>(index)})[0];
    // In the middle of 2⁵² equal intervals: never a boundary.
    coordinates.push_back((static_cast<double>(bits >> 12U) + 0.5) * 0x1.0p-52);
  }
  return coordinates;
}

}  // namespace trestle::design
