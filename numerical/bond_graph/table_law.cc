#include "numerical/bond_graph/table_law.h"

#include <cmath>
#include <string>
#include <utility>

#include "core/base/setting_error.h"

namespace trestle::bond_graph {

TableLaw::TableLaw(std::vector<Point> points) : points_(std::move(points)) {
  if (points_.size() < 2)
    throw SettingError("", "has " + std::to_string(points_.size()) +
                               " points; a table needs two at least");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!std::isfinite(points_[i].argument) || !std::isfinite(points_[i].value))
      throw SettingError(
          "", "has a number that is not finite in point " + std::to_string(i + 1));
    if (i > 0 && points_[i].argument <= points_[i - 1].argument)
      throw SettingError("", "does not rise from point " + std::to_string(i) +
                                 " to point " + std::to_string(i + 1) +
                                 "; the first number of each point must be above that of "
                                 "the point before it");
  }
}

std::size_t TableLaw::line_at(double argument) const noexcept {
  std::size_t line = 0;
  while (line + 2 < points_.size() && argument >= points_[line + 1].argument) ++line;
  return line;
}

double TableLaw::slope_of(std::size_t line) const noexcept {
  const Point& left = points_[line];
  const Point& right = points_[line + 1];
  return (right.value - left.value) / (right.argument - left.argument);
}

double TableLaw::value(double argument) noexcept {
  const std::size_t line = line_at(argument);
  return points_[line].value + slope_of(line) * (argument - points_[line].argument);
}

double TableLaw::slope(double argument) noexcept {
  return slope_of(line_at(argument));
}

}  // namespace trestle::bond_graph
