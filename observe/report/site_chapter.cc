#include "observe/report/site_chapter.h"

#include <algorithm>
#include <cmath>

#include "core/evaluation/synchronisation.h"
#include "observe/plot/distribution_plot.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"
#include "observe/report/coefficient_figure.h"
#include "observe/report/derived_signals.h"
#include "observe/report/limit_section.h"
#include "observe/report/whole_history.h"

namespace trestle::report {
namespace {

constexpr double kDelayMemories = 40.0;  // windows in a test
constexpr double kShortestMemory = 0.5;  // [s]
constexpr double kSmallestDelay = 1e-4;  // that is worth a look [s]
constexpr double kCloserPart = 0.06;     // of a test

plot::EngineeringUnit unit_for(const std::string& si,
                               std::initializer_list<const std::vector<double>*> signals) {
  double largest = 0.0;
  for (const std::vector<double>* signal : signals)
    if (signal != nullptr) largest = std::max(largest, plot::largest_magnitude(*signal));
  return plot::engineering_unit(si, largest);
}

std::string motion_word(const std::string& unit) {
  return unit == "rad" ? "rotation" : "displacement";
}

std::string force_word(const std::string& unit) {
  return unit == "N.m" ? "moment" : "force";
}

/// Without an error in the record there is no curve of it either.
bool can_follow(const MotionSignals& motion) {
  return motion.target != nullptr && motion.measured != nullptr && !motion.target->empty();
}

plot::AxisSettings time_axis(const RunData& run, bool hides_numbers) {
  const double end = run.time().empty() ? 1.0 : run.time().back();
  return {.label = "time",
          .unit = {1.0, "s"},
          .lowest = run.is_window() && !run.time().empty() ? run.time().front() : 0.0,
          .highest = std::max(end, run.time_step),
          .hides_numbers = hides_numbers};
}

std::string percent(double part) {
  return plot::format_significant(100.0 * part, 3) + " %";
}

/// Some rows of a signal.
std::vector<double> stretch(const std::vector<double>& values, std::size_t from,
                            std::size_t to) {
  return {values.begin() + static_cast<std::ptrdiff_t>(from),
          values.begin() + static_cast<std::ptrdiff_t>(to)};
}

/// Command, measured and target over the rows from `from` to `to`.
plot::Chart motion_chart(const RunData& run, const MotionSignals& actuator,
                         std::size_t from, std::size_t to) {
  const std::vector<double> time = stretch(run.time(), from, to);
  plot::Chart chart{
      .x = time_axis(run, true),
      .y = {.label = motion_word(actuator.unit),
            .unit = unit_for(actuator.unit, {actuator.target, actuator.measured})}};
  const auto add = [&](const char* name, const std::vector<double>* values,
                       const plot::SeriesStyle& style) {
    if (values != nullptr)
      chart.series.push_back(
          {.name = name, .x = time, .y = stretch(*values, from, to), .style = style});
  };
  add("command", actuator.command, plot::command_style());
  add("measured", actuator.measured, plot::measured_style());
  add("target", actuator.target, plot::target_style());
  return chart;
}

/// The same around the largest target, so that delay and command can be seen.
plot::Chart closer_chart(const RunData& run, const MotionSignals& actuator) {
  const std::vector<double>& target = *actuator.target;
  std::size_t peak = 0;
  for (std::size_t k = 0; k < target.size(); ++k)
    if (std::abs(target[k]) > std::abs(target[peak])) peak = k;
  const auto half = static_cast<std::size_t>(
      std::max(0.5 * kCloserPart * static_cast<double>(target.size()), 20.0));
  const std::size_t from = peak > half ? peak - half : 0;
  const std::size_t to = std::min(peak + half, target.size());
  plot::Chart chart = motion_chart(run, actuator, from, to);
  chart.title = "Around the largest target";
  chart.x.hides_numbers = false;
  chart.x.lowest = run.time()[from];
  chart.x.highest = run.time()[to - 1];
  return chart;
}

plot::Figure history_figure(const RunData& run, const std::string& site,
                            const MotionSignals& actuator) {
  const std::vector<double>& time = run.time();
  const std::vector<double> error = difference(*actuator.measured, *actuator.target);
  plot::Chart history = motion_chart(run, actuator, 0, actuator.target->size());
  history.title = site + " " + actuator.name;
  plot::Chart strip{.x = time_axis(run, false),
                    .y = {.label = "error: measured \u2212 target",
                          .unit = unit_for(actuator.unit, {&error}),
                          .symmetric = true},
                    .series = {{.x = time, .y = error, .style = plot::error_style()}}};
  strip.note =
      "largest " + plot::format_quantity(plot::largest_magnitude(error), actuator.unit);
  return {.label = "Command, target and measured " + motion_word(actuator.unit) +
                   " of actuator " + actuator.name + " at " + site + ", and the error",
          .rows = {{.height = 210.0, .charts = {std::move(history)}},
                   {.height = 120.0, .charts = {std::move(strip)}},
                   {.height = 200.0, .charts = {closer_chart(run, actuator)}}}};
}

plot::Chart hysteresis_chart(const MotionSignals& dof) {
  const std::vector<double> work = work_done(*dof.measured, *dof.force);
  plot::Chart chart{
      .title =
          dof.name + ": " + force_word(dof.force_unit) + " over " + motion_word(dof.unit),
      .note = work.empty() ? "" : plot::format_quantity(work.back(), "J"),
      .x = {.label = motion_word(dof.unit), .unit = unit_for(dof.unit, {dof.measured})},
      .y = {.label = force_word(dof.force_unit),
            .unit = unit_for(dof.force_unit, {dof.force})}};
  chart.series.push_back({.x = *dof.measured,
                          .y = *dof.force,
                          .mark = plot::SeriesMark::kLoop,
                          .style = {.colour = "#0072B2", .dashes = {}, .width = 0.8}});
  return chart;
}

/// Until where the recorded rows of a run that did not come to its end go.
std::string until_last_step(const RunData& run) {
  return run.steps() < run.steps_planned()
             ? ", until step " + std::to_string(run.steps() - 1)
             : "";
}

plot::Chart synchronisation_chart(const RunData& run, const MotionSignals& motion) {
  const evaluation::Synchronisation found =
      evaluation::synchronisation(*motion.target, *motion.measured, run.time_step);
  plot::Chart chart{
      .title = motion.name + ": measured over target",
      .note = percent(found.rms_relative) + " rms",
      .x = {.label = "target", .unit = unit_for(motion.unit, {motion.target})},
      .y = {.label = "measured", .unit = unit_for(motion.unit, {motion.target})},
      .series = {{.x = *motion.target,
                  .y = *motion.measured,
                  .mark = plot::SeriesMark::kLoop,
                  .style = {.colour = "#0072B2", .dashes = {}, .width = 0.9}}},
      .guides = {{.direction = plot::GuideLine::Direction::kDiagonal}},
      .equal_axes = true};
  return chart;
}

plot::Chart work_chart(const RunData& run, const RecordedSiteData& site) {
  plot::Chart chart{.title = "Work done on the specimen", .x = time_axis(run, false)};
  double largest = 0.0;
  for (const MotionSignals& dof : site.interface) {
    if (dof.measured == nullptr || dof.force == nullptr) continue;
    plot::Series line{.name = dof.name,
                      .x = run.time(),
                      .y = work_done(*dof.measured, *dof.force),
                      .style = plot::series_style(chart.series.size())};
    largest = std::max(largest, plot::largest_magnitude(line.y));
    chart.series.push_back(std::move(line));
  }
  // For coupled degrees of freedom only the sum is dissipation.
  if (chart.series.size() > 1) {
    plot::Series sum{
        .name = "sum",
        .x = run.time(),
        .y = chart.series.front().y,
        .style = {.colour = plot::plot_colour::kText, .dashes = {}, .width = 1.6}};
    for (std::size_t i = 1; i < chart.series.size(); ++i)
      for (std::size_t k = 0; k < sum.y.size(); ++k) sum.y[k] += chart.series[i].y[k];
    chart.note = plot::format_quantity(sum.y.empty() ? 0.0 : sum.y.back(), "J");
    largest = std::max(largest, plot::largest_magnitude(sum.y));
    chart.series.push_back(std::move(sum));
  }
  chart.y = {.label = "energy", .unit = plot::engineering_unit("J", largest)};
  return chart;
}

/// Widens a range so that it shows all of these values but the farthest twentieth, which
/// are seen before an estimate has settled.
void include_most(plot::ValueRange& range, std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::sort(values.begin(), values.end());
  const double low = plot::sorted_quantile(values, 0.025);
  const double high = plot::sorted_quantile(values, 0.975);
  const double margin = std::max(0.3 * (high - low), kSmallestDelay);
  range.include(low - margin);
  range.include(high + margin);
}

/// Delay over time and its distribution, of all actuators.
plot::FigureRow delay_row(const RunData& run, const RecordedSiteData& site) {
  const double length = static_cast<double>(run.time().size()) * run.time_step;
  const double memory = std::max(kShortestMemory, length / kDelayMemories);
  plot::Chart history{.title = "Delay over time",
                      .note = "over " + plot::format_significant(memory, 2) + " s",
                      .x = time_axis(run, false),
                      .y = {}};
  std::vector<plot::Series> distributions;
  plot::ValueRange shown = plot::ValueRange::none();
  for (const MotionSignals& actuator : site.actuators) {
    if (!can_follow(actuator)) continue;
    plot::Series line{
        .name = actuator.name,
        .x = run.time(),
        .y = delay_over_time(*actuator.target, *actuator.measured, run.time_step, memory),
        .style = plot::series_style(history.series.size())};
    if (std::none_of(line.y.begin(), line.y.end(),
                     [](double delay) { return std::isfinite(delay); }))
      continue;
    distributions.push_back(plot::cumulative_distribution(line.name, line.y, line.style));
    include_most(shown, line.y);
    history.series.push_back(std::move(line));
  }
  if (history.series.empty()) return {};
  const plot::AxisSettings milliseconds{
      .label = "delay", .unit = {1e3, "ms"}, .lowest = shown.low, .highest = shown.high};
  history.y = milliseconds;
  return {.height = 220.0,
          .charts = {std::move(history),
                     plot::distribution_chart("Distribution of that delay", milliseconds,
                                              std::move(distributions))}};
}

plot::Chart spectrum_chart(const RunData& run, const MotionSignals& actuator) {
  const FourierAmplitudes found = fourier_amplitudes(
      *actuator.target, difference(*actuator.measured, *actuator.target), run.time_step);
  const double highest = std::clamp(1.5 * found.significant, 2.0, 0.5 / run.time_step);
  const plot::EngineeringUnit unit{1e3, actuator.unit == "rad" ? "mrad·s" : "mm·s"};
  plot::Chart chart{
      .title = "Actuator " + actuator.name,
      .x = {.label = "frequency", .unit = {1.0, "Hz"}, .lowest = 0.0, .highest = highest},
      .y = {.label = "Fourier amplitude", .unit = unit, .logarithmic = true}};
  plot::Series target{.name = "target", .style = plot::target_style()};
  plot::Series error{.name = "error", .style = plot::error_style()};
  const double least = 1e-5 * plot::largest_magnitude(found.first);
  for (std::size_t m = 1; m < found.frequency.size() && found.frequency[m] <= highest;
       ++m) {
    for (plot::Series* series : {&target, &error}) series->x.push_back(found.frequency[m]);
    target.y.push_back(std::max(found.first[m], least));
    error.y.push_back(std::max(found.second[m], least));
  }
  target.style.dashes = {};
  chart.series = {std::move(target), std::move(error)};
  return chart;
}

void write_rows(document::HtmlDocument& document, const std::string& label, double height,
                std::vector<plot::Chart> charts) {
  if (charts.empty()) return;
  plot::Figure figure{.label = label};
  for (std::size_t i = 0; i < charts.size(); i += 2) {
    plot::FigureRow row{.height = height, .charts = {}};
    for (std::size_t k = i; k < std::min(i + 2, charts.size()); ++k)
      row.charts.emplace_back(std::move(charts[k]));
    // One alone keeps the size of the others.
    if (row.charts.size() == 1 && charts.size() == 1) figure.width = 430.0;
    if (row.charts.size() == 1 && charts.size() > 1) {
      document.picture(plot::figure_svg(figure));
      figure = {.label = label, .width = 380.0};
    }
    figure.rows.push_back(std::move(row));
  }
  if (!figure.rows.empty()) document.picture(plot::figure_svg(figure));
}

}  // namespace

void write_site_chapter(document::HtmlDocument& document, const RunData& run,
                        const RecordedSiteData& site, const std::vector<LimitUse>& uses) {
  document.chapter("Site " + site.name);
  if (run.time().size() > 1) {
    const std::string window = window_words(run);
    write_whole_histories(document, run, site);
    document.heading("Command, target and measurement" + window);
    for (const MotionSignals& actuator : site.actuators)
      if (can_follow(actuator))
        document.picture(plot::figure_svg(history_figure(run, site.name, actuator)));
    std::vector<plot::Chart> loops;
    std::vector<plot::Chart> squares;
    std::vector<plot::Chart> spectra;
    for (const MotionSignals& dof : site.interface) {
      if (dof.measured != nullptr && dof.force != nullptr)
        loops.push_back(hysteresis_chart(dof));
      if (can_follow(dof)) squares.push_back(synchronisation_chart(run, dof));
    }
    for (const MotionSignals& actuator : site.actuators)
      if (can_follow(actuator)) spectra.push_back(spectrum_chart(run, actuator));
    document.heading("Hysteresis of the specimen" + window);
    write_rows(document, "Hysteresis at " + site.name, 300.0, std::move(loops));
    const plot::Chart work = work_chart(run, site);
    if (!work.series.empty())
      document.picture(
          plot::figure_svg({.label = "Work done on the specimen at " + site.name,
                            .rows = {{.height = 200.0, .charts = {work}}}}),
          "The work that the actuators did on the specimen: what it dissipated, "
          "and what it still holds elastically.");
    document.heading("Synchronisation" + window + until_last_step(run));
    write_rows(document, "Measured over target at " + site.name, 330.0, std::move(squares));
    plot::FigureRow delays = delay_row(run, site);
    if (!delays.charts.empty())
      document.picture(plot::figure_svg({.label = "Delay of the actuators at " + site.name,
                                         .rows = {std::move(delays)}}),
                       "Positive: the measurement is late. The delay is that of the "
                       "transfer system, told only where the target moves enough.");
    const double end =
        run.is_window() ? run.end_time() : static_cast<double>(run.steps()) * run.time_step;
    if (const plot::Figure figure = coefficient_figure(site, end); !figure.rows.empty()) {
      document.heading("Coefficients of the compensator");
      document.picture(plot::figure_svg(figure),
                       "As they were for the command of each recorded tick.");
    }
    document.heading("Fourier amplitudes of target and error" + window);
    write_rows(document, "Fourier amplitudes at " + site.name, 230.0, std::move(spectra));
  }
  write_limit_section(document, run, site, uses);
}

}  // namespace trestle::report
