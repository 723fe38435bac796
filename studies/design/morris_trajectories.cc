#include "studies/design/morris_trajectories.h"

#include "core/base/random.h"
#include "studies/design/keyed_permutation.h"

namespace trestle::design {

MorrisTrajectories::MorrisTrajectories(std::uint64_t seed, std::size_t dimensions,
                                       std::uint32_t levels)
    : seed_(seed), dimensions_(dimensions), levels_(levels) {}

std::size_t MorrisTrajectories::moved(std::int64_t trajectory,
                                      std::size_t step) const noexcept {
  static const std::uint64_t stream = stream_id("design morris order");
  const KeyedPermutation order(dimensions_, seed_, stream,
                               static_cast<std::uint64_t>(trajectory));
  return static_cast<std::size_t>(order(step));
}

std::vector<double> MorrisTrajectories::point(std::int64_t index) const {
  static const std::uint64_t stream = stream_id("design morris start");
  const auto size = static_cast<std::int64_t>(length());
  const std::int64_t trajectory = index / size;
  const auto steps = static_cast<std::size_t>(index % size);
  std::vector<std::uint32_t> level;
  for (std::size_t i = 0; i < dimensions_; ++i)
    level.push_back(static_cast<std::uint32_t>(
        random_bits({.seed = seed_,
                     .stream = stream,
                     .channel = i,
                     .index = static_cast<std::uint64_t>(trajectory)})[0] %
        levels_));
  // From a level of the lower half up, from one of the upper half down: both are as likely.
  for (std::size_t step = 0; step < steps; ++step) {
    std::uint32_t& moves = level[moved(trajectory, step)];
    moves = (moves + levels_ / 2) % levels_;
  }
  std::vector<double> coordinates;
  coordinates.reserve(dimensions_);
  for (const std::uint32_t each : level)
    coordinates.push_back((static_cast<double>(each) + 0.5) / static_cast<double>(levels_));
  return coordinates;
}

}  // namespace trestle::design
