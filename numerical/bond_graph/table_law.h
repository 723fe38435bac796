#pragma once

#include <vector>

#include "numerical/bond_graph/constitutive_law.h"

namespace trestle::bond_graph {

/// Straight lines through points; the first and the last line go on beyond their ends. A
/// bilinear elastic law is one of four points.
class TableLaw final : public ConstitutiveLaw {
 public:
  struct Point {
    double argument;
    double value;
  };

  /// @throws SettingError unless there are two points at least, arguments strictly rising
  explicit TableLaw(std::vector<Point> points);

  double value(double argument) noexcept override;
  /// At a corner, of the line to its right.
  double slope(double argument) noexcept override;
  void commit(double /*argument*/) noexcept override {}
  void reset() noexcept override {}

 private:
  std::size_t line_at(double argument) const noexcept;
  double slope_of(std::size_t line) const noexcept;

  std::vector<Point> points_;
};

}  // namespace trestle::bond_graph
