#include "studies/design/saltelli_points.h"

#include <utility>

namespace trestle::design {

SaltelliPoints::SaltelliPoints(std::unique_ptr<const UnitPoints> rows,
                               std::size_t dimensions)
    : rows_(std::move(rows)), dimensions_(dimensions) {}

std::vector<double> SaltelliPoints::point(std::int64_t index) const {
  const auto size = static_cast<std::int64_t>(row_size(dimensions_));
  const auto of_row = static_cast<std::size_t>(index % size);
  const std::vector<double> row = rows_->point(index / size);
  const auto a_ends = row.begin() + static_cast<std::ptrdiff_t>(dimensions_);
  if (of_row == 1) return {a_ends, row.end()};
  std::vector<double> coordinates(row.begin(), a_ends);
  if (of_row >= 2) coordinates[of_row - 2] = row[dimensions_ + of_row - 2];
  return coordinates;
}

}  // namespace trestle::design
