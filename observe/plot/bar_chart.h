#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observe/plot/axis.h"
#include "observe/plot/svg_writer.h"

namespace trestle::plot {

/// One horizontal bar.
struct Bar {
  std::string label = {};
  double from = 0.0;
  double to = 0.0;
  std::string text = {};            ///< at the right
  bool hatched = false;             ///< beside its colour: an alarm
  std::string colour = {};          ///< empty: as all others
  std::optional<double> mark = {};  ///< a short line across the bar
};

/// Horizontal bars with a label each: used of limits, failures by reason, a tornado.
struct BarChart {
  std::string title = {};
  std::string note = {};
  AxisSettings x = {};
  std::vector<Bar> bars = {};
  std::vector<double> guides = {};  ///< vertical dashed lines
  double label_width = 150.0;       ///< [px]
  double text_width = 120.0;        ///< [px]
};

/// Height that shows all bars [px].
double bar_chart_height(const BarChart& chart);

void paint_bar_chart(SvgWriter& svg, const BarChart& chart, const PlotArea& area);

/// The change of an output when one input goes from its low to its high value.
struct Swing {
  std::string input;
  double at_low = 0.0;   ///< the output where the input is low
  double at_high = 0.0;  ///< and where it is high
};

/// A tornado: the largest swing on top, each about the nominal output.
BarChart tornado(const std::string& title, const AxisSettings& output, double nominal,
                 std::vector<Swing> swings);

}  // namespace trestle::plot
