#include "observe/plot/figure.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numbers>
#include <regex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "observe/plot/bode_plot.h"
#include "observe/plot/distribution_plot.h"
#include "observe/plot/svg_writer.h"

namespace trestle::plot::figure_test {
namespace {

/// Compares with tests/observe/plot/golden/<name>.svg. With TRESTLE_WRITE_GOLDEN set the
/// file is written; look at the picture before it is committed.
void expect_golden(const std::string& name, const Figure& figure) {
  const std::string path =
      std::string(TRESTLE_SOURCE_DIR) + "/tests/observe/plot/golden/" + name + ".svg";
  const std::string svg = figure_svg(figure);
  if (std::getenv("TRESTLE_WRITE_GOLDEN") != nullptr)  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(path, std::ios::binary) << svg;
  std::ifstream file(path, std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(svg == golden) << path << " differs from what is drawn now";
}

std::vector<double> seconds_until(double end) {
  std::vector<double> time;
  for (double t = 0.0; t <= end; t += 0.01) time.push_back(t);
  return time;
}

template <typename Function>
std::vector<double> mapped(const std::vector<double>& values, Function function) {
  std::vector<double> result;
  for (const double value : values) result.push_back(function(value));
  return result;
}

Figure history() {
  const std::vector<double> time = seconds_until(10.0);
  Chart chart{
      .title = "west 1",
      .note = "largest 12.5 mm",
      .x = {.label = "time", .unit = {1.0, "s"}},
      .y = {.label = "displacement", .unit = {1e3, "mm"}},
      .guides = {
          {.value = 0.015, .label = "limit 15 mm", .is_limit = true},
          {.direction = GuideLine::Direction::kVertical, .value = 4.0, .label = "holds"}}};
  chart.series = {
      {.name = "measured",
       .x = time,
       .y = mapped(time, [](double t) { return 0.0125 * std::sin(3.0 * (t - 0.05)); }),
       .style = measured_style()},
      {.name = "target",
       .x = time,
       .y = mapped(time, [](double t) { return 0.0125 * std::sin(3.0 * t); }),
       .style = target_style()}};
  return {.label = "Time history", .rows = {{.height = 220.0, .charts = {chart}}}};
}

TEST(Figure, TimeHistoryLooksAsItDid) {
  expect_golden("history", history());
}

/// Places of the texts of a picture that are, or begin with, these words.
std::vector<std::pair<double, double>> places(const std::string& svg,
                                              const std::string& words) {
  std::vector<std::pair<double, double>> found;
  for (std::size_t at = svg.find(">" + words); at != std::string::npos;
       at = svg.find(">" + words, at + 1)) {
    const std::size_t tag = svg.rfind("<text x=\"", at);
    const std::size_t y = svg.find(" y=\"", tag);
    found.emplace_back(std::stod(svg.substr(tag + 9)), std::stod(svg.substr(y + 4)));
  }
  return found;
}

// Names that are long together take a row each; none lies over the words of the axis.
TEST(Figure, GivesALongLegendMoreRows) {
  const std::string name(70, 'n');
  Figure figure = history();
  auto& chart = std::get<Chart>(figure.rows[0].charts[0]);
  const double axis = places(figure_svg(figure), "displacement")[0].second;
  chart.series[0].name = "a" + name;
  chart.series[1].name = "b" + name;
  const std::string svg = figure_svg(figure);
  const double first = places(svg, "an")[0].second;
  const double second = places(svg, "bn")[0].second;
  const double below = places(svg, "displacement")[0].second;
  EXPECT_LT(first, second) << "they are read downwards";
  EXPECT_LE(second, below);
  EXPECT_GT(below, axis) << "the plot gives them room";
  EXPECT_EQ(places(svg, "an")[0].first, places(svg, "bn")[0].first);
}

TEST(Figure, LoopAndSynchronisationLookAsTheyDid) {
  const std::vector<double> angle = seconds_until(2.0 * std::numbers::pi);
  const auto x = mapped(angle, [](double a) { return 0.01 * std::cos(a); });
  const auto y = mapped(angle, [](double a) { return 2e5 * std::cos(a - 0.3); });
  Chart loop{.title = "floor_w.x",
             .x = {.label = "displacement", .unit = {1e3, "mm"}},
             .y = {.label = "force", .unit = {1e-3, "kN"}},
             .series = {{.x = x, .y = y, .mark = SeriesMark::kLoop}}};
  Chart square{
      .title = "measured over target",
      .x = {.label = "target", .unit = {1e3, "mm"}},
      .y = {.label = "measured", .unit = {1e3, "mm"}},
      .series = {{.x = x,
                  .y = mapped(angle, [](double a) { return 0.01 * std::cos(a - 0.1); }),
                  .mark = SeriesMark::kLoop}},
      .guides = {{.direction = GuideLine::Direction::kDiagonal}},
      .equal_axes = true};
  expect_golden("loop",
                {.label = "Loops", .rows = {{.height = 300.0, .charts = {loop, square}}}});
}

TEST(Figure, DistributionsLookAsTheyDid) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i)
    values.push_back(1e-3 * (5.0 + std::sin(0.37 * i) + 0.01 * i));
  const AxisSettings delay{.label = "delay", .unit = {1e3, "ms"}};
  expect_golden(
      "distribution",
      {.label = "Distributions",
       .rows = {{.height = 230.0,
                 .charts = {
                     histogram("Histogram", delay, values),
                     distribution_chart(
                         "CDF", delay,
                         {cumulative_distribution("west 1", values, series_style(0))})}}}});
}

TEST(Figure, BodeLooksAsItDid) {
  BodeResponse response{.name = "1"};
  for (double f = 0.5; f <= 40.0; f *= 1.2) {
    const std::complex<double> s(0.0, f / 18.0);
    response.frequency.push_back(f);
    response.fitted.push_back(1.0 / (1.0 + 1.4 * s + s * s));
    response.measured.push_back(response.fitted.back() * (1.0 + 0.02 * std::sin(f)));
  }
  expect_golden("bode", bode_figure("Actuator 1", {response}));
}

/// Places of the markers of a picture, from left to right [px].
std::vector<double> markers(const std::string& svg) {
  const std::regex marker("cx=\"([0-9.]+)\" cy=\"[0-9.]+\" r=\"2\\.2\"");
  std::vector<double> across;
  for (std::sregex_iterator one(svg.begin(), svg.end(), marker), end; one != end; ++one)
    across.push_back(std::stod((*one)[1]));
  return across;
}

TEST(Figure, BodeHasTheSameRoomForEachOctave) {
  BodeResponse response{.name = "1", .frequency = {0.5, 1.0, 2.0, 4.0, 8.0, 16.0}};
  for (std::size_t i = 0; i < response.frequency.size(); ++i) {
    response.fitted.emplace_back(1.0 - 0.1 * static_cast<double>(i), -0.2);
    response.measured.push_back(response.fitted.back());
  }
  const std::vector<double> across =
      markers(figure_svg(bode_figure("Actuator 1", {response})));
  ASSERT_EQ(across.size(), 2 * response.frequency.size()) << "gain, then phase";
  const double octave = across[1] - across[0];
  EXPECT_GT(octave, 60.0);
  for (std::size_t i = 1; i < response.frequency.size(); ++i) {
    EXPECT_NEAR(across[i] - across[i - 1], octave, 0.021);
    EXPECT_EQ(across[i + response.frequency.size()], across[i]);
  }
}

TEST(Figure, BarsAndTornadoLookAsTheyDid) {
  const BarChart bars{.title = "Used of limit",
                      .x = {.label = "share of the limit",
                            .unit = {1.0, "%"},
                            .lowest = 0.0,
                            .highest = 100.0},
                      .bars = {{.label = "1 displacement", .to = 21.0, .text = "21 %"},
                               {.label = "1 force",
                                .to = 91.0,
                                .text = "91 %",
                                .hatched = true,
                                .colour = plot_colour::kAlarm,
                                .mark = 95.0}},
                      .guides = {60.0, 85.0}};
  const BarChart swings =
      tornado("Tornado", {.label = "J2 [%]"}, 3.0,
              {{"stiffness", 2.8, 3.1}, {"damping", 3.5, 2.0}, {"mass", 3.0, 3.0}});
  ASSERT_EQ(swings.bars.front().label, "damping");
  EXPECT_TRUE(swings.bars.front().hatched);
  expect_golden("bars",
                {.label = "Bars",
                 .rows = {{.height = bar_chart_height(bars), .charts = {bars}},
                          {.height = bar_chart_height(swings), .charts = {swings}}}});
}

TEST(Figure, PointsLookAsTheyDid) {
  Chart scatter{.title = "Scatter",
                .x = {.label = "factor"},
                .y = {.label = "J2", .unit = {1.0, "%"}}};
  for (std::size_t shape = 0; shape < 5; ++shape) {
    Series series{.name = "kind " + std::to_string(shape),
                  .mark = SeriesMark::kPoints,
                  .style = series_style(shape)};
    for (int i = 0; i < 8; ++i) {
      series.x.push_back(i + 0.1 * static_cast<double>(shape));
      series.y.push_back(std::sin(i) + static_cast<double>(shape));
    }
    scatter.series.push_back(series);
  }
  expect_golden("points",
                {.label = "Points", .rows = {{.height = 240.0, .charts = {scatter}}}});
}

TEST(Figure, DependsOnNoLocale) {
  const std::string svg = figure_svg(history());
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "C.UTF-8", ""}) {
    if (std::setlocale(LC_ALL, locale) == nullptr) continue;
    EXPECT_TRUE(figure_svg(history()) == svg) << locale;
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Figure, NamesAreTextAndNothingElse) {
  Figure figure = history();
  std::get<Chart>(figure.rows[0].charts[0]).title =
      "<script>alert(1)</script> & \"west\"\x01";
  figure.label = "\" onload=\"alert(1)";
  const std::string svg = figure_svg(figure);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("onload=\"alert"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
}

TEST(Figure, ANameDoesNotTurnRoundWhatStandsBehindIt) {
  EXPECT_EQ(escape_markup("west\u202e 12 %"), "west\ufffd 12 %");
  EXPECT_EQ(escape_markup("\u2066a\u2069 \u2265 \u2013 \u202f\u200f\xe2"),
            "\ufffda\ufffd \u2265 \u2013 \u202f\u200f\xe2");
}

TEST(Figure, DrawsNothingOfNothing) {
  EXPECT_NE(figure_svg({.rows = {{.charts = {Chart{}, BarChart{}}}}}).find("</svg>"),
            std::string::npos);
  EXPECT_TRUE(histogram("", {}, {NAN}).series.empty());
  EXPECT_FALSE(histogram("", {}, {0.0, 0.0}).series.empty());
}

}  // namespace
}  // namespace trestle::plot::figure_test
