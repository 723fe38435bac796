#pragma once

#include <cstddef>
#include <memory>

#include "studies/design/unit_points.h"

namespace trestle::design {

/// The points by which Sobol' indices are estimated (Saltelli et al. 2010). A row of a
/// design with twice the dimensions is cut into a and b; row after row come a, b, and for
/// each dimension a with that coordinate of b. More rows change no earlier point.
class SaltelliPoints final : public UnitPoints {
 public:
  /// @param rows  with 2 × dimensions coordinates
  SaltelliPoints(std::unique_ptr<const UnitPoints> rows, std::size_t dimensions);

  std::vector<double> point(std::int64_t index) const override;

  /// Points of one row.
  static std::size_t row_size(std::size_t dimensions) noexcept { return dimensions + 2; }

 private:
  std::unique_ptr<const UnitPoints> rows_;
  std::size_t dimensions_;
};

}  // namespace trestle::design
