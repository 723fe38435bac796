#include "studies/design/latin_hypercube_points.h"

#include "core/base/random.h"
#include "studies/design/keyed_permutation.h"

namespace trestle::design {

LatinHypercubePoints::LatinHypercubePoints(std::uint64_t seed, std::size_t dimensions,
                                           std::int64_t points)
    : seed_(seed), dimensions_(dimensions), points_(points) {}

std::vector<double> LatinHypercubePoints::point(std::int64_t index) const {
  static const std::uint64_t order = stream_id("design latin hypercube order");
  static const std::uint64_t within = stream_id("design latin hypercube place");
  const auto place = static_cast<std::uint64_t>(index);
  std::vector<double> coordinates;
  coordinates.reserve(dimensions_);
  for (std::size_t i = 0; i < dimensions_; ++i) {
    const KeyedPermutation intervals(static_cast<std::uint64_t>(points_), seed_, order, i);
    const std::uint64_t bits =
        random_bits({.seed = seed_, .stream = within, .channel = i, .index = place})[0];
    // Twenty bits within an interval: with the number of any interval they are exact in a
    // double, so that no sum is rounded into the next one.
    const double inside = (static_cast<double>(bits >> 44U) + 0.5) * 0x1.0p-20;
    coordinates.push_back((static_cast<double>(intervals(place)) + inside) /
                          static_cast<double>(points_));
  }
  return coordinates;
}

}  // namespace trestle::design
