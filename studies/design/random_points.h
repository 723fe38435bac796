#pragma once

#include <cstddef>
#include <cstdint>

#include "studies/design/unit_points.h"

namespace trestle::design {

/// Independent uniform coordinates.
class RandomPoints final : public UnitPoints {
 public:
  RandomPoints(std::uint64_t seed, std::size_t dimensions);

  std::vector<double> point(std::int64_t index) const override;

 private:
  std::uint64_t seed_;
  std::size_t dimensions_;
};

}  // namespace trestle::design
