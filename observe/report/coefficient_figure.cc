#include "observe/report/coefficient_figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "observe/plot/number_format.h"
#include "observe/report/whole_history.h"

namespace trestle::report {
namespace {

/// The end of the name of a column behind `<site>.<actuator>.`; empty: of another place.
std::string end_of(const std::string& column, const std::string& site,
                   const std::string& actuator) {
  const std::string place = site + "." + actuator + ".";
  return column.starts_with(place) ? column.substr(place.size()) : std::string();
}

bool is_of_the_motion(const std::string& name) {
  return name.starts_with("target_") || name.starts_with("command_") ||
         name.starts_with("measured_") || name.starts_with("force_");
}

plot::Chart coefficient_chart(const RecordedSiteData& site, const Channel& coefficient,
                              const std::vector<double>& time, double end) {
  plot::Chart chart{
      .title = coefficient.name,
      .x = {.label = "time", .unit = {1.0, "s"}, .lowest = 0.0, .highest = end}};
  double largest = 0.0;
  for (const MotionSignals& actuator : site.actuators) {
    const std::vector<double>* values =
        site.ticks.find(site.name + "." + actuator.name + "." + coefficient.name);
    if (values == nullptr) continue;
    plot::Series line{.x = time, .y = *values};
    if (!site.tick_envelope.empty())
      line = envelope_series(site.tick_envelope,
                             site.tick_envelope.place_of(site.name + "." + actuator.name +
                                                         "." + coefficient.name),
                             site.tick_times);
    line.name = actuator.name;
    line.style = plot::series_style(chart.series.size());
    largest = std::max(largest, plot::largest_magnitude(line.y));
    chart.series.push_back(std::move(line));
  }
  chart.y = {.label = coefficient.name,
             .unit = coefficient.unit == "s"
                         ? plot::engineering_unit(coefficient.unit, largest)
                         : plot::EngineeringUnit{1.0, coefficient.unit}};
  return chart;
}

}  // namespace

Channels recorded_coefficients(const RecordedSiteData& site) {
  Channels found;
  if (site.actuators.empty() || site.ticks.rows() == 0) return found;
  for (const Channel& channel : site.ticks.channels()) {
    const std::string name = end_of(channel.name, site.name, site.actuators.front().name);
    if (!name.empty() && !is_of_the_motion(name)) found.push_back({name, channel.unit});
  }
  return found;
}

plot::Figure coefficient_figure(const RecordedSiteData& site, double end) {
  plot::Figure figure{.label = "Coefficients of the compensator at " + site.name};
  if (!site.tick_times.is_known()) return figure;
  std::vector<double> time;
  for (const std::int64_t index : site.ticks.index())
    time.push_back(site.tick_times.at(index));
  constexpr std::size_t kSideBySide = 2;
  for (const Channel& coefficient : recorded_coefficients(site)) {
    if (figure.rows.empty() || figure.rows.back().charts.size() == kSideBySide)
      figure.rows.push_back({.height = 170.0, .charts = {}});
    figure.rows.back().charts.emplace_back(coefficient_chart(site, coefficient, time, end));
  }
  return figure;
}

}  // namespace trestle::report
