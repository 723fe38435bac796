#include "observe/plot/bode_plot.h"

#include <cmath>
#include <numbers>

namespace trestle::plot {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

/// The angle nearest to the one before.
double unwrapped(double angle, double before) {
  return angle +
         2.0 * std::numbers::pi * std::round((before - angle) / (2.0 * std::numbers::pi));
}

AxisSettings frequency_axis(bool hides_numbers) {
  return {.label = "frequency",
          .unit = {1.0, "Hz"},
          .logarithmic = true,
          .hides_numbers = hides_numbers};
}

}  // namespace

Figure bode_figure(const std::string& title, const std::vector<BodeResponse>& responses) {
  Chart gain{.title = title,
             .x = frequency_axis(true),
             .y = {.label = "gain, displacement over drive", .logarithmic = true}};
  Chart phase{
      .title = {}, .x = frequency_axis(false), .y = {.label = "phase", .unit = {1.0, "°"}}};
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const BodeResponse& response = responses[i];
    const SeriesStyle style = series_style(i);
    const std::string name = responses.size() > 1 ? response.name : "fitted";
    Series fitted_gain{.name = name, .x = response.frequency, .style = style};
    Series measured_gain{.name = responses.size() > 1 ? "" : "measured",
                         .x = response.frequency,
                         .mark = SeriesMark::kPoints,
                         .style = style};
    Series fitted_phase{.x = response.frequency, .style = style};
    Series measured_phase{
        .x = response.frequency, .mark = SeriesMark::kPoints, .style = style};
    double before = 0.0;
    for (std::size_t k = 0; k < response.frequency.size(); ++k) {
      fitted_gain.y.push_back(std::abs(response.fitted[k]));
      measured_gain.y.push_back(std::abs(response.measured[k]));
      before = unwrapped(std::arg(response.fitted[k]), before);
      fitted_phase.y.push_back(kDegrees * before);
      measured_phase.y.push_back(kDegrees *
                                 unwrapped(std::arg(response.measured[k]), before));
    }
    for (Series* series : {&fitted_gain, &measured_gain})
      gain.series.push_back(std::move(*series));
    for (Series* series : {&fitted_phase, &measured_phase})
      phase.series.push_back(std::move(*series));
  }
  return {.label = title + ": gain and phase over frequency",
          .rows = {{.height = 230.0, .charts = {std::move(gain)}},
                   {.height = 230.0, .charts = {std::move(phase)}}}};
}

}  // namespace trestle::plot
