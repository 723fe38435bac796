#pragma once

#include <string>
#include <variant>
#include <vector>

#include "observe/plot/bar_chart.h"
#include "observe/plot/chart.h"

namespace trestle::plot {

/// Charts side by side.
struct FigureRow {
  double height = 200.0;  ///< [px]; of a bar chart: bar_chart_height()
  std::vector<std::variant<Chart, BarChart>> charts = {};
};

/// One picture: rows of charts.
struct Figure {
  std::string label = {};  ///< text for screen readers
  std::vector<FigureRow> rows = {};
  double width = 760.0;                 ///< [px]
  std::string title = {};               ///< above all rows
  std::vector<std::string> words = {};  ///< lines below all rows
};

/// The picture as SVG. Equal figures give equal bytes.
std::string figure_svg(const Figure& figure);

}  // namespace trestle::plot
