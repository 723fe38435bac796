#pragma once

#include <cstddef>
#include <cstdint>

#include "studies/design/unit_points.h"

namespace trestle::design {

/// Trajectories for elementary effects (Morris 1991): from a random point of a grid each
/// dimension moves once, in a random order, by half of the levels, up or down. The levels
/// are the middles of equal intervals of probability, so that none is a boundary. More
/// trajectories change no earlier one.
class MorrisTrajectories final : public UnitPoints {
 public:
  /// @param levels  an even number
  MorrisTrajectories(std::uint64_t seed, std::size_t dimensions, std::uint32_t levels);

  std::vector<double> point(std::int64_t index) const override;

  /// Points of one trajectory.
  std::size_t length() const noexcept { return dimensions_ + 1; }
  /// Which dimension moves between two points of a trajectory.
  /// @param step  from 0, of the trajectory
  std::size_t moved(std::int64_t trajectory, std::size_t step) const noexcept;

 private:
  std::uint64_t seed_;
  std::size_t dimensions_;
  std::uint32_t levels_;
};

}  // namespace trestle::design
