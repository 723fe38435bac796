#include "observe/plot/figure.h"

#include "observe/plot/chart_painter.h"
#include "observe/plot/svg_writer.h"

namespace trestle::plot {
namespace {

constexpr double kFigureTitle = 24.0;
constexpr double kWordsRow = 15.0;
constexpr double kRowGap = 6.0;

void paint_into(SvgWriter& svg, const std::variant<Chart, BarChart>& chart,
                const PlotArea& area) {
  if (const auto* bars = std::get_if<BarChart>(&chart))
    paint_bar_chart(svg, *bars, area);
  else
    ChartPainter(std::get<Chart>(chart), area).paint(svg);
}

}  // namespace

std::string figure_svg(const Figure& figure) {
  double height = figure.title.empty() ? 0.0 : kFigureTitle;
  for (const FigureRow& row : figure.rows) height += row.height + kRowGap;
  if (!figure.words.empty())
    height += kWordsRow * static_cast<double>(figure.words.size()) + kRowGap;
  SvgWriter svg(figure.width, height, figure.label);
  double top = 0.0;
  if (!figure.title.empty()) {
    svg.text({4.0, 16.0}, figure.title, {.bold = true, .size = 13.0});
    top = kFigureTitle;
  }
  for (const FigureRow& row : figure.rows) {
    const double width = figure.width / static_cast<double>(row.charts.size());
    for (std::size_t i = 0; i < row.charts.size(); ++i)
      paint_into(svg, row.charts[i],
                 {static_cast<double>(i) * width, top, width, row.height});
    top += row.height + kRowGap;
  }
  for (const std::string& line : figure.words) {
    top += kWordsRow;
    svg.text({4.0, top - 3.0}, line);
  }
  return svg.finish();
}

}  // namespace trestle::plot
