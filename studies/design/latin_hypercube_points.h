#pragma once

#include <cstddef>
#include <cstdint>

#include "studies/design/unit_points.h"

namespace trestle::design {

/// A Latin hypercube (McKay, Beckman and Conover 1979): the coordinates of its points lie
/// once in each of as many equal intervals as there are points, in every dimension.
class LatinHypercubePoints final : public UnitPoints {
 public:
  LatinHypercubePoints(std::uint64_t seed, std::size_t dimensions, std::int64_t points);

  /// @pre index < points
  std::vector<double> point(std::int64_t index) const override;

 private:
  std::uint64_t seed_;
  std::size_t dimensions_;
  std::int64_t points_;
};

}  // namespace trestle::design
