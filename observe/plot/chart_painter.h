#pragma once

#include "observe/plot/chart.h"
#include "observe/plot/svg_writer.h"

namespace trestle::plot {

/// Draws one chart into a part of a picture.
class ChartPainter {
 public:
  /// @param area  of the chart with its title, legend and numbers
  ChartPainter(const Chart& chart, const PlotArea& area);

  void paint(SvgWriter& svg) const;

 private:
  void paint_heading(SvgWriter& svg) const;
  void paint_legend(SvgWriter& svg) const;
  void paint_grid(SvgWriter& svg) const;
  void paint_guides(SvgWriter& svg) const;
  void paint_series(SvgWriter& svg, const Series& series) const;
  void paint_bars(SvgWriter& svg, const Series& series) const;

  const Chart& chart_;
  PlotArea area_;
  PlotArea plot_;  // inside the frame
  Axis across_;
  Axis upwards_;
};

}  // namespace trestle::plot
