#include "observe/plot/chart_painter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "observe/plot/curve_path.h"

namespace trestle::plot {
namespace {

constexpr double kNumbersLeft = 56.0;
constexpr double kRight = 14.0;
constexpr double kTitleRow = 18.0;
constexpr double kLegendRow = 18.0;
constexpr double kLegendAbove = 7.0;  // the plot
constexpr double kNumbersBelow = 34.0;
constexpr double kGapBelow = 8.0;
constexpr double kLegendSample = 22.0;
constexpr double kNameGap = 6.0;     // between sample and name
constexpr double kLegendGap = 12.0;  // between names
constexpr double kGuideSize = 10.0;

std::string axis_words(const AxisSettings& axis) {
  if (axis.unit.name.empty()) return axis.label;
  return axis.label.empty() ? axis.unit.name : axis.label + " [" + axis.unit.name + "]";
}

/// The names of the legend in rows, upwards and from right to left; the lowest row is
/// beside the words of the upright axis. One row wherever they fit.
std::vector<std::vector<const Series*>> legend_rows(const Chart& chart,
                                                    const PlotArea& area) {
  std::vector<std::vector<const Series*>> rows;
  const double whole = area.width - kRight - kLegendGap;
  double left = whole - text_width(axis_words(chart.y));
  for (auto series = chart.series.rbegin(); series != chart.series.rend(); ++series) {
    if (series->name.empty()) continue;
    const double needs = text_width(series->name) + kNameGap + kLegendSample;
    if (rows.empty()) rows.emplace_back();
    if (needs > left && left < whole) {
      left = whole;
      rows.emplace_back();
    }
    rows.back().push_back(&*series);
    left -= needs + kLegendGap;
  }
  return rows;
}

double rows_above(const Chart& chart, const PlotArea& area) {
  const std::size_t rows = legend_rows(chart, area).size();
  return static_cast<double>(
      std::max(rows, axis_words(chart.y).empty() ? std::size_t{0} : std::size_t{1}));
}

void paint_sample(SvgWriter& svg, const Series& series, const PlotPoint& middle) {
  if (series.mark == SeriesMark::kPoints)
    svg.marker(middle, series.style, 3.0);
  else if (series.mark == SeriesMark::kBars)
    svg.rectangle({middle.x - 7.0, middle.y - 4.0, 14.0, 8.0}, series.style.colour);
  else
    svg.line({middle.x - 0.5 * kLegendSample, middle.y},
             {middle.x + 0.5 * kLegendSample, middle.y}, series.style);
}

PlotArea plot_area(const Chart& chart, const PlotArea& area) {
  const double top = (chart.title.empty() && chart.note.empty() ? 4.0 : kTitleRow) +
                     kLegendRow * rows_above(chart, area);
  const double bottom = chart.x.hides_numbers ? kGapBelow : kNumbersBelow;
  PlotArea plot{area.x + kNumbersLeft, area.y + top, area.width - kNumbersLeft - kRight,
                area.height - top - bottom};
  if (chart.equal_axes) plot.width = plot.height = std::min(plot.width, plot.height);
  return plot;
}

ValueRange range_of(const Chart& chart, bool across) {
  ValueRange range = ValueRange::none();
  for (const Series& series : chart.series) {
    if (across || chart.equal_axes) range.include(series.x);
    if (!across || chart.equal_axes) range.include(series.y);
    if (series.mark != SeriesMark::kBars) continue;
    if (!across) range.include(0.0);
    for (const double x : series.x)
      if (across)
        range.include(x - 0.5 * series.bar_width),
            range.include(x + 0.5 * series.bar_width);
  }
  return range;
}

Axis axis_across(const Chart& chart, const PlotArea& plot) {
  const ValueRange range = range_of(chart, true);
  return {chart.x, range.low, range.high, plot.x, plot.right()};
}

Axis axis_upwards(const Chart& chart, const PlotArea& plot) {
  ValueRange range = range_of(chart, false);
  // Shows a limit only if it is near; a far one would flatten the curve.
  const double reach = std::max(std::abs(range.low), std::abs(range.high));
  for (const GuideLine& guide : chart.guides)
    if (guide.direction == GuideLine::Direction::kHorizontal &&
        std::abs(guide.value) <= 1.6 * reach)
      range.include(guide.value);
  return {chart.y, range.low, range.high, plot.bottom(), plot.y};
}

const SeriesStyle kGridStyle{.colour = plot_colour::kGrid, .dashes = {}, .width = 1.0};
const SeriesStyle kZeroStyle{.colour = plot_colour::kFrame, .dashes = {}, .width = 1.0};
const SeriesStyle kGuideStyle{.colour = plot_colour::kMuted, .dashes = "3 3", .width = 1.0};
const SeriesStyle kLimitStyle{.colour = plot_colour::kLimit, .dashes = "6 4", .width = 1.3};

}  // namespace

ChartPainter::ChartPainter(const Chart& chart, const PlotArea& area)
    : chart_(chart),
      area_(area),
      plot_(plot_area(chart, area)),
      across_(axis_across(chart, plot_)),
      upwards_(axis_upwards(chart, plot_)) {}

void ChartPainter::paint(SvgWriter& svg) const {
  paint_heading(svg);
  paint_legend(svg);
  paint_grid(svg);
  svg.enter_clip(plot_);
  for (const Series& series : chart_.series) paint_series(svg, series);
  paint_guides(svg);
  svg.leave_clip();
  svg.rectangle(plot_, "none", plot_colour::kFrame);
}

void ChartPainter::paint_heading(SvgWriter& svg) const {
  if (!chart_.title.empty())
    svg.text({area_.x + 4.0, area_.y + 13.0}, chart_.title, {.bold = true, .size = 12.0});
  if (!chart_.note.empty())
    svg.text({chart_.equal_axes ? plot_.right() : area_.x + area_.width - kRight,
              area_.y + 13.0},
             chart_.note, {.anchor = TextStyle::Anchor::kEnd, .muted = true});
  if (rows_above(chart_, area_) > 0.0)
    svg.text({area_.x + 4.0, plot_.y - kLegendAbove}, axis_words(chart_.y),
             {.muted = true});
}

void ChartPainter::paint_legend(SvgWriter& svg) const {
  double at = plot_.y - kLegendAbove;
  for (const std::vector<const Series*>& row : legend_rows(chart_, area_)) {
    double right = chart_.equal_axes ? plot_.right() : area_.x + area_.width - kRight;
    for (const Series* const series : row) {
      svg.text({right, at}, series->name, {.anchor = TextStyle::Anchor::kEnd});
      right -= text_width(series->name) + kNameGap;
      paint_sample(svg, *series, {right - 0.5 * kLegendSample, at - 4.0});
      right -= kLegendSample + kLegendGap;
    }
    at -= kLegendRow;
  }
}

void ChartPainter::paint_grid(SvgWriter& svg) const {
  for (const AxisTick& tick : across_.ticks()) {
    const double x = across_.tick_place(tick);
    svg.line({x, plot_.y}, {x, plot_.bottom()},
             tick.value == 0.0 && !chart_.x.logarithmic ? kZeroStyle : kGridStyle);
    if (chart_.x.hides_numbers) continue;
    // A long number at the right end stays within the picture.
    const double rightmost = area_.x + area_.width - 0.5 * text_width(tick.label) - 1.0;
    svg.text({std::min(x, rightmost), plot_.bottom() + 14.0}, tick.label,
             {.anchor = TextStyle::Anchor::kMiddle});
  }
  for (const AxisTick& tick : upwards_.ticks()) {
    const double y = upwards_.tick_place(tick);
    svg.line({plot_.x, y}, {plot_.right(), y},
             tick.value == 0.0 && !chart_.y.logarithmic ? kZeroStyle : kGridStyle);
    if (!chart_.y.hides_numbers)
      svg.text({plot_.x - 5.0, y + 4.0}, tick.label, {.anchor = TextStyle::Anchor::kEnd});
  }
  if (!chart_.x.hides_numbers)
    svg.text({0.5 * (plot_.x + plot_.right()), plot_.bottom() + 28.0}, axis_words(chart_.x),
             {.anchor = TextStyle::Anchor::kMiddle, .muted = true});
}

void ChartPainter::paint_guides(SvgWriter& svg) const {
  for (const GuideLine& guide : chart_.guides) {
    const SeriesStyle& style = guide.is_limit ? kLimitStyle : kGuideStyle;
    if (guide.direction == GuideLine::Direction::kDiagonal) {
      svg.line({plot_.x, plot_.bottom()}, {plot_.right(), plot_.y}, style);
    } else if (guide.direction == GuideLine::Direction::kVertical) {
      const double x = across_.place(guide.value);
      svg.line({x, plot_.y}, {x, plot_.bottom()}, style);
      const bool left = x > plot_.right() - text_width(guide.label, kGuideSize) - 8.0;
      svg.text({left ? x - 3.0 : x + 3.0, plot_.y + 11.0}, guide.label,
               {.anchor = left ? TextStyle::Anchor::kEnd : TextStyle::Anchor::kStart,
                .muted = true,
                .size = kGuideSize});
    } else {
      const double y = upwards_.place(guide.value);
      svg.line({plot_.x, y}, {plot_.right(), y}, style);
      const bool below = y < plot_.y + 14.0;
      svg.text({plot_.right() - 4.0, below ? y + 12.0 : y - 4.0}, guide.label,
               {.anchor = TextStyle::Anchor::kEnd, .muted = true, .size = kGuideSize});
    }
  }
}

void ChartPainter::paint_series(SvgWriter& svg, const Series& series) const {
  switch (series.mark) {
    case SeriesMark::kHistory:
      svg.path(history_path(series.x, series.y, across_, upwards_), series.style);
      break;
    case SeriesMark::kLoop:
      svg.path(loop_path(series.x, series.y, across_, upwards_), series.style);
      break;
    case SeriesMark::kPoints:
      for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        const PlotPoint place{across_.place(series.x[i]), upwards_.place(series.y[i])};
        if (std::isfinite(place.x) && std::isfinite(place.y))
          svg.marker(place, series.style);
      }
      break;
    case SeriesMark::kBars:
      paint_bars(svg, series);
      break;
  }
}

void ChartPainter::paint_bars(SvgWriter& svg, const Series& series) const {
  const double zero = std::clamp(upwards_.place(0.0), plot_.y, plot_.bottom());
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!std::isfinite(series.y[i]) || series.y[i] == 0.0) continue;
    const double left = across_.place(series.x[i] - 0.5 * series.bar_width);
    const double right = across_.place(series.x[i] + 0.5 * series.bar_width);
    const double end = upwards_.place(series.y[i]);
    svg.rectangle(
        {left + 0.5, std::min(zero, end), right - left - 1.0, std::abs(zero - end)},
        series.style.colour);
  }
}

}  // namespace trestle::plot
