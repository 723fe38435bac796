#include "studies/identification/residual_files.h"

#include <array>
#include <cstdio>
#include <vector>

#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"

namespace trestle::identification {
namespace {

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  char text[300];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

const char* unit_suffix(Measures measures) {
  constexpr std::array<const char*, 4> kSuffixes{"m", "m_s", "m_s2", "strain"};
  return kSuffixes[static_cast<std::size_t>(measures)];
}

double time_at(const PassageSettings& run, Eigen::Index sample) {
  return run.first_sample + run.sampling_period * static_cast<double>(sample);
}

/// The unit of a sensor's readings in SI, as engineering_unit() knows it.
const char* si_unit(Measures measures) {
  constexpr std::array<const char*, 4> kUnits{"m", "m/s", "m/s^2", ""};
  return kUnits[static_cast<std::size_t>(measures)];
}

std::vector<double> as_list(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

/// The readings of one sensor and what the fit makes of them, the residual below.
void add_sensor(plot::Figure& figure, const std::vector<double>& time, const Sensor& sensor,
                const Eigen::VectorXd& measured, const Eigen::VectorXd& fitted) {
  const std::vector<double> residual = as_list(measured - fitted);
  const std::string unit = si_unit(sensor.measures);
  plot::AxisSettings seconds{
      .label = "time", .unit = {1.0, "s"}, .lowest = time.front(), .highest = time.back()};
  plot::Chart below{
      .note = "largest " + plot::format_quantity(plot::largest_magnitude(residual), unit),
      .x = seconds,
      .y = {.label = "measured \u2212 fitted",
            .unit = plot::engineering_unit(unit, plot::largest_magnitude(residual)),
            .symmetric = true},
      .series = {{.x = time, .y = residual, .style = plot::error_style()}}};
  seconds.hides_numbers = true;
  plot::SeriesStyle readings = plot::measured_style();
  readings.colour = "#9aa4af";
  readings.width = 3.0;
  plot::SeriesStyle fit = plot::measured_style();
  fit.width = 1.0;
  const std::vector<double> values = as_list(measured);
  plot::Chart above{
      .title = sensor.name,
      .x = seconds,
      .y = {.label = "reading",
            .unit = plot::engineering_unit(unit, plot::largest_magnitude(values))},
      .series = {{.name = "measured", .x = time, .y = values, .style = readings},
                 {.name = "fitted", .x = time, .y = as_list(fitted), .style = fit}}};
  figure.rows.push_back({.height = 200.0, .charts = {std::move(above)}});
  figure.rows.push_back({.height = 120.0, .charts = {std::move(below)}});
}

}  // namespace

std::string residual_csv(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass) {
  const RecordedPass& record = study.problem.passes[pass];
  const std::vector<Sensor>& sensors = record.passage->sensors();
  std::string text = "time_s";
  for (const Sensor& sensor : sensors) {
    const char* unit = unit_suffix(sensor.measures);
    text += "," + sensor.name + "_measured_" + unit + "," + sensor.name + "_fitted_" + unit;
  }
  text += "\n";
  const auto count = static_cast<Eigen::Index>(sensors.size());
  for (Eigen::Index k = 0; k < record.measured.size() / count; ++k) {
    text += format("%.9g", time_at(record.passage->settings(), k));
    for (Eigen::Index s = 0; s < count; ++s)
      text += format(",%.12g,%.12g", record.measured(k * count + s),
                     result.fitted[pass](k * count + s));
    text += "\n";
  }
  return text;
}

std::string residual_svg(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass) {
  const RecordedPass& record = study.problem.passes[pass];
  const std::vector<Sensor>& sensors = record.passage->sensors();
  const auto count = static_cast<Eigen::Index>(sensors.size());
  const Eigen::Index samples = record.measured.size() / count;
  std::vector<double> time;
  for (Eigen::Index k = 0; k < samples; ++k)
    time.push_back(time_at(record.passage->settings(), k));
  plot::Figure figure{
      .label = "Readings of the sensors, their fit and the residual",
      .title = study.name + ", pass " + std::to_string(pass + 1) + ", " +
               plot::format_significant(record.passage->settings().speed, 4) + " m/s"};
  for (Eigen::Index s = 0; s < count; ++s) {
    const auto channel = Eigen::seqN(s, samples, count);
    add_sensor(figure, time, sensors[static_cast<std::size_t>(s)], record.measured(channel),
               result.fitted[pass](channel));
  }
  return plot::figure_svg(figure);
}

std::string road_csv(const FoundRoad& road) {
  std::string text = "x_m,height_m,deviation_m";
  text += road.truth ? ",true_height_m\n" : "\n";
  for (Eigen::Index i = 0; i < road.x.size(); ++i) {
    text += format("%.6g,%.9g,%.6g", road.x(i), road.height(i), road.deviation(i));
    if (road.truth) text += format(",%.9g", (*road.truth)(i));
    text += "\n";
  }
  return text;
}

}  // namespace trestle::identification
