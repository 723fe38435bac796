#include "observe/report/synchronisation_plot.h"

#include <algorithm>
#include <numbers>

#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"

namespace trestle::report {
namespace {

constexpr std::size_t kShades = 6;  // from pale to dark
constexpr double kPortWidth = 390.0;
constexpr double kPortHeight = 370.0;

/// The colour of a stretch of time, from pale (early) to dark (late).
std::string shade(std::size_t number) {
  const double part = static_cast<double>(number) / (kShades - 1);
  const auto channel = [part](double pale, double dark) {
    return plot::format_fixed(pale + part * (dark - pale), 0);
  };
  return "rgb(" + channel(190, 0) + "," + channel(215, 60) + "," + channel(235, 110) + ")";
}

plot::Chart port_chart(const records::SynchronisedPort& port) {
  const double largest = std::max(plot::largest_magnitude(port.wanted),
                                  plot::largest_magnitude(port.measured));
  const plot::EngineeringUnit unit = plot::engineering_unit("m", largest);
  plot::Chart chart{.title = port.name,
                    .x = {.label = "target", .unit = unit, .symmetric = true},
                    .y = {.label = "measured", .unit = unit, .symmetric = true},
                    .guides = {{.direction = plot::GuideLine::Direction::kDiagonal}},
                    .equal_axes = true};
  const std::size_t count = std::min(port.wanted.size(), port.measured.size());
  for (std::size_t i = 0; i < kShades; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(i * count / kShades);
    const auto to =
        static_cast<std::ptrdiff_t>(std::min(count, (i + 1) * count / kShades + 1));
    chart.series.push_back({.x = {port.wanted.begin() + from, port.wanted.begin() + to},
                            .y = {port.measured.begin() + from, port.measured.begin() + to},
                            .mark = plot::SeriesMark::kLoop,
                            .style = {.colour = shade(i), .dashes = {}, .width = 1.0}});
  }
  return chart;
}

void add_words(std::vector<std::string>& words, const records::SynchronisedPort& port) {
  const evaluation::Synchronisation& found = port.found;
  const double last =
      port.begins + static_cast<double>(port.wanted.size() - 1) * port.period;
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  words.push_back(port.name + ": " + plot::format_significant(port.begins, 4) + " s to " +
                  plot::format_significant(last, 4) + " s, rms error " +
                  plot::format_significant(1e2 * found.rms_relative, 3) + " %, amplitude " +
                  plot::format_fixed(found.amplitude, 4) + ", axes " +
                  plot::format_fixed(found.axes, 4) + ", angle " +
                  plot::format_fixed(kDegrees * found.angle, 2) + "°, delay " +
                  plot::format_significant(1e3 * found.delay, 3) + " ms");
  for (const evaluation::HarmonicRatio& harmonic : found.harmonics)
    words.push_back("    " + plot::format_significant(harmonic.frequency, 4) +
                    " Hz: gain " + plot::format_fixed(harmonic.gain, 4) + ", phase " +
                    plot::format_fixed(kDegrees * harmonic.phase, 2) + "°, half width " +
                    plot::format_fixed(harmonic.ellipse_half_width, 4));
}

}  // namespace

std::string synchronisation_svg(const std::vector<records::SynchronisedPort>& ports,
                                const std::string& title) {
  constexpr std::size_t kAbreast = 2;
  plot::Figure figure{.label = "Synchronisation: measured over target motion of each port",
                      .title = title};
  figure.width = kPortWidth * static_cast<double>(kAbreast);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (i % kAbreast == 0) figure.rows.push_back({.height = kPortHeight, .charts = {}});
    figure.rows.back().charts.emplace_back(port_chart(ports[i]));
    add_words(figure.words, ports[i]);
  }
  return plot::figure_svg(figure);
}

}  // namespace trestle::report
