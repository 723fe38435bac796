#pragma once

#include <cstdint>
#include <vector>

namespace trestle::design {

/// Points of the unit cube by their number.
class UnitPoints {
 public:
  virtual ~UnitPoints() = default;

  /// Coordinates in (0, 1), each boundary left out. They depend on the index alone.
  /// @param index  from 0
  virtual std::vector<double> point(std::int64_t index) const = 0;
};

}  // namespace trestle::design
