#include "observe/plot/bar_chart.h"

#include <algorithm>
#include <cmath>

#include "observe/plot/chart.h"
#include "observe/plot/number_format.h"

namespace trestle::plot {
namespace {

constexpr double kBarRow = 18.0;
constexpr double kBarsTop = 22.0;
constexpr double kBarsBelow = 34.0;

Axis bar_axis(const BarChart& chart, double from, double to) {
  ValueRange range = ValueRange::none();
  for (const Bar& bar : chart.bars) {
    range.include(bar.from);
    range.include(bar.to);
    if (bar.mark) range.include(*bar.mark);
  }
  for (const double guide : chart.guides) range.include(guide);
  return {chart.x, range.low, range.high, from, to};
}

void paint_bar(SvgWriter& svg, const Bar& bar, const Axis& axis, double top) {
  const double from = axis.place(bar.from);
  const double to = axis.place(bar.to);
  const PlotArea area{std::min(from, to), top + 3.0, std::abs(to - from), kBarRow - 6.0};
  svg.rectangle(area, bar.colour.empty() ? std::string(plot_colour::kBar) : bar.colour);
  if (bar.hatched) svg.hatching(area, "#fff");
  if (bar.mark) {
    const double place = axis.place(*bar.mark);
    svg.line({place, top + 1.0}, {place, top + kBarRow - 1.0},
             {.colour = plot_colour::kText, .dashes = {}, .width = 1.6});
  }
}

}  // namespace

double bar_chart_height(const BarChart& chart) {
  return kBarsTop + kBarRow * static_cast<double>(chart.bars.size()) + kBarsBelow;
}

void paint_bar_chart(SvgWriter& svg, const BarChart& chart, const PlotArea& area) {
  svg.text({area.x + 4.0, area.y + 13.0}, chart.title, {.bold = true, .size = 12.0});
  svg.text({area.right() - 14.0, area.y + 13.0}, chart.note,
           {.anchor = TextStyle::Anchor::kEnd, .muted = true});
  const PlotArea plot{area.x + chart.label_width, area.y + kBarsTop,
                      area.width - chart.label_width - chart.text_width,
                      kBarRow * static_cast<double>(chart.bars.size())};
  const Axis axis = bar_axis(chart, plot.x, plot.right());
  for (const AxisTick& tick : axis.ticks()) {
    const double x = axis.tick_place(tick);
    svg.line({x, plot.y}, {x, plot.bottom()},
             {.colour = plot_colour::kGrid, .dashes = {}, .width = 1.0});
    svg.text({x, plot.bottom() + 14.0}, tick.label, {.anchor = TextStyle::Anchor::kMiddle});
  }
  double top = plot.y;
  for (const Bar& bar : chart.bars) {
    svg.text({plot.x - 8.0, top + 13.0}, bar.label, {.anchor = TextStyle::Anchor::kEnd});
    paint_bar(svg, bar, axis, top);
    svg.text({plot.right() + 8.0, top + 13.0}, bar.text, {.muted = true});
    top += kBarRow;
  }
  for (const double guide : chart.guides)
    svg.line({axis.place(guide), plot.y}, {axis.place(guide), plot.bottom()},
             {.colour = plot_colour::kMuted, .dashes = "3 3", .width = 1.0});
  svg.rectangle(plot, "none", plot_colour::kFrame);
  const std::string unit = chart.x.unit.name;
  svg.text({0.5 * (plot.x + plot.right()), plot.bottom() + 28.0},
           unit.empty() ? chart.x.label : chart.x.label + " [" + unit + "]",
           {.anchor = TextStyle::Anchor::kMiddle, .muted = true});
}

BarChart tornado(const std::string& title, const AxisSettings& output, double nominal,
                 std::vector<Swing> swings) {
  const auto width = [](const Swing& swing) {
    return std::abs(swing.at_high - swing.at_low);
  };
  std::stable_sort(swings.begin(), swings.end(),
                   [&](const Swing& a, const Swing& b) { return width(a) > width(b); });
  BarChart chart{.title = title, .x = output, .guides = {nominal}};
  for (const Swing& swing : swings)
    chart.bars.push_back({.label = swing.input,
                          .from = swing.at_low,
                          .to = swing.at_high,
                          .text = format_significant(swing.at_low * output.unit.factor, 3) +
                                  " to " +
                                  format_significant(swing.at_high * output.unit.factor, 3),
                          .hatched = swing.at_high < swing.at_low});
  return chart;
}

}  // namespace trestle::plot
