#include "observe/plot/distribution_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trestle::plot {
namespace {

constexpr double kMostBins = 40.0;

std::vector<double> finite_values(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

double sorted_quantile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double rest = place - static_cast<double>(below);
  return sorted[below] + rest * (sorted[above] - sorted[below]);
}

Chart histogram(const std::string& title, const AxisSettings& quantity,
                const std::vector<double>& values) {
  Chart chart{
      .title = title, .x = quantity, .y = {.label = "number", .starts_at_zero = true}};
  const std::vector<double> sorted = finite_values(values);
  if (sorted.empty()) return chart;
  const double factor = quantity.unit.factor;
  const double low = sorted.front() * factor;
  const double high = sorted.back() * factor;
  const double bins =
      std::clamp(std::sqrt(static_cast<double>(sorted.size())), 5.0, kMostBins);
  const double spread = high - low;
  const double width = round_step(spread > 1e-12 * std::max(std::abs(low), std::abs(high))
                                      ? spread / bins
                                      : std::max(std::abs(high), 1e-12) / bins);
  const double first = std::floor(low / width);
  const auto count = static_cast<std::size_t>(std::floor(high / width) - first) + 1;
  Series bars{.mark = SeriesMark::kBars, .style = {.colour = plot_colour::kBar}};
  bars.bar_width = width / factor;
  bars.y.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    bars.x.push_back((first + static_cast<double>(i) + 0.5) * width / factor);
  for (const double value : sorted) {
    const double bin = std::floor(value * factor / width) - first;
    bars.y[std::min(static_cast<std::size_t>(std::max(bin, 0.0)), count - 1)] += 1.0;
  }
  chart.series.push_back(std::move(bars));
  return chart;
}

Series cumulative_distribution(const std::string& name, std::vector<double> values,
                               const SeriesStyle& style, std::size_t points) {
  const std::vector<double> sorted = finite_values(std::move(values));
  Series line{.name = name, .mark = SeriesMark::kLoop, .style = style};
  if (sorted.empty()) return line;
  const std::size_t count = std::min(points, sorted.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double part =
        count == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    line.x.push_back(sorted_quantile(sorted, part));
    line.y.push_back(100.0 * part);
  }
  return line;
}

Chart distribution_chart(const std::string& title, const AxisSettings& quantity,
                         std::vector<Series> lines) {
  return {.title = title,
          .x = quantity,
          .y = {.label = "share not above [%]", .lowest = 0.0, .highest = 100.0},
          .series = std::move(lines)};
}

}  // namespace trestle::plot
