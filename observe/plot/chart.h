#pragma once

#include <string>
#include <vector>

#include "observe/plot/axis.h"
#include "observe/plot/series_style.h"

namespace trestle::plot {

/// How the values of a series are drawn.
enum class SeriesMark {
  kHistory,  ///< a line over ascending x
  kLoop,     ///< a line over any x
  kPoints,   ///< a marker for each
  kBars,     ///< a bar from zero to each y; `bar_width` wide
};

/// One line, or set of points, of a chart. Values that are not finite break a line.
struct Series {
  std::string name = {};  ///< of the legend; empty: not in it
  std::vector<double> x = {};
  std::vector<double> y = {};
  SeriesMark mark = SeriesMark::kHistory;
  SeriesStyle style = {};
  double bar_width = 0.0;  ///< as x
};

/// A dashed line across a chart, a limit for one, with its words at the end.
struct GuideLine {
  enum class Direction { kHorizontal, kVertical, kDiagonal };
  Direction direction = Direction::kHorizontal;
  double value = 0.0;  ///< as the axis that it crosses; of a diagonal: nothing
  std::string label = {};
  bool is_limit = false;
};

/// A chart with two axes: time histories, x over y, spectra, distributions.
struct Chart {
  std::string title = {};
  std::string note = {};  ///< right of the title: the number that matters
  AxisSettings x = {};
  AxisSettings y = {};
  std::vector<Series> series = {};
  std::vector<GuideLine> guides = {};
  bool equal_axes = false;  ///< one range for both: of a synchronisation plot
};

/// Lowest and highest finite value; NaN of none.
struct ValueRange {
  double low;
  double high;

  void include(const std::vector<double>& values);
  void include(double value);
  static ValueRange none();
};

/// Largest magnitude of the finite values; 0 of none.
double largest_magnitude(const std::vector<double>& values);

}  // namespace trestle::plot
