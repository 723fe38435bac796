#include "observe/report/comparison_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "observe/document/html_document.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"
#include "observe/report/criteria_chapter.h"
#include "observe/report/derived_signals.h"
#include "observe/report/limit_use.h"
#include "observe/report/record_chapters.h"
#include "observe/report/recorded_evaluation.h"
#include "observe/report/run_verdict.h"

namespace trestle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFirst = "first";
constexpr const char* kSecond = "second";

/// One signal that both runs have.
struct CommonSignal {
  std::string title;
  std::string si_unit;
  const std::vector<double>* first;
  const std::vector<double>* second;
};

/// Returns the nearest earlier row of the other run at each time; NaN before its first and
/// a step after its last row.
std::vector<double> joined_by_time(const std::vector<double>& time, const RunData& other,
                                   const std::vector<double>& values) {
  std::vector<double> joined(time.size(), std::numeric_limits<double>::quiet_NaN());
  std::size_t at = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double until = time[i] + 1e-9 * other.time_step;
    while (at + 1 < other.time().size() && other.time()[at + 1] <= until) ++at;
    if (at < values.size() && other.time()[at] <= until &&
        until - other.time()[at] < other.time_step)
      joined[i] = values[at];
  }
  return joined;
}

std::vector<CommonSignal> common_motions(const RunData& first, const RunData& second) {
  std::vector<CommonSignal> signals;
  const Channels& channels = first.result.channels();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& name = channels[i].name;
    const bool motion = name.ends_with(".measured_m") || name.ends_with(".measured_rad");
    const std::vector<double>* other = second.result.find(name);
    if (motion && other != nullptr && !(first.time().empty() && second.time().empty()))
      signals.push_back({name.substr(0, name.rfind('.')) + ", measured", channels[i].unit,
                         &first.result.column(i), other});
  }
  return signals;
}

/// The largest responses that both have, at most six.
std::vector<CommonSignal> common_responses(const RunData& first, const RunData& second) {
  std::vector<CommonSignal> signals;
  const Channels& channels = first.result.channels();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& name = channels[i].name;
    const std::vector<double>* other = second.result.find(name);
    if (name.ends_with(".disp_m") && !name.starts_with("reference.") && other != nullptr &&
        !(first.time().empty() && second.time().empty()))
      signals.push_back(
          {name.substr(0, name.rfind('.')), "m", &first.result.column(i), other});
  }
  std::stable_sort(
      signals.begin(), signals.end(), [](const CommonSignal& a, const CommonSignal& b) {
        return plot::largest_magnitude(*a.first) > plot::largest_magnitude(*b.first);
      });
  if (signals.size() > 6) signals.resize(6);
  return signals;
}

void write_overlay(document::HtmlDocument& document, const RunData& first,
                   const RunData& second, const CommonSignal& signal) {
  const double end = std::max(first.time().empty() ? 0.0 : first.time().back(),
                              second.time().empty() ? 0.0 : second.time().back());
  const std::vector<double> apart =
      difference(joined_by_time(first.time(), second, *signal.second), *signal.first);
  const double largest = std::max(plot::largest_magnitude(*signal.first),
                                  plot::largest_magnitude(*signal.second));
  const plot::AxisSettings time{.label = "time",
                                .unit = {1.0, "s"},
                                .lowest = 0.0,
                                .highest = std::max(end, first.time_step)};
  plot::AxisSettings no_numbers = time;
  no_numbers.hides_numbers = true;
  plot::Chart both{
      .title = signal.title,
      .x = no_numbers,
      .y = {.label = "", .unit = plot::engineering_unit(signal.si_unit, largest)},
      .series = {{.name = kFirst,
                  .x = first.time(),
                  .y = *signal.first,
                  .style = plot::measured_style()},
                 {.name = kSecond,
                  .x = second.time(),
                  .y = *signal.second,
                  .style = plot::second_run_style()}}};
  plot::Chart strip{
      .note = "largest " +
              plot::format_quantity(plot::largest_magnitude(apart), signal.si_unit),
      .x = time,
      .y = {.label = "second \u2212 first",
            .unit = plot::engineering_unit(signal.si_unit, plot::largest_magnitude(apart)),
            .symmetric = true},
      .series = {{.x = first.time(), .y = apart, .style = plot::error_style()}}};
  document.picture(
      plot::figure_svg({.label = signal.title + " of both runs, and the difference",
                        .rows = {{.height = 190.0, .charts = {std::move(both)}},
                                 {.height = 115.0, .charts = {std::move(strip)}}}}));
}

/// The loops of the interface DOFs that both runs have.
std::vector<plot::Chart> common_loops(const RunData& first, const RunData& second) {
  std::vector<plot::Chart> loops;
  for (const RecordedSiteData& site : first.sites)
    for (const MotionSignals& dof : site.interface) {
      for (const RecordedSiteData& other : second.sites)
        for (const MotionSignals& same : other.interface) {
          if (other.name != site.name || same.name != dof.name) continue;
          if (dof.measured == nullptr || dof.force == nullptr || same.measured == nullptr ||
              same.force == nullptr || (dof.force->empty() && same.force->empty()))
            continue;
          plot::Chart chart{.title = site.name + " " + dof.name,
                            .x = {.label = dof.unit == "rad" ? "rotation" : "displacement",
                                  .unit = plot::engineering_unit(
                                      dof.unit, plot::largest_magnitude(*dof.measured))},
                            .y = {.label = dof.force_unit == "N.m" ? "moment" : "force",
                                  .unit = plot::engineering_unit(
                                      dof.force_unit, plot::largest_magnitude(*dof.force))},
                            .series = {{.name = kFirst,
                                        .x = *dof.measured,
                                        .y = *dof.force,
                                        .mark = plot::SeriesMark::kLoop,
                                        .style = plot::measured_style()},
                                       {.name = kSecond,
                                        .x = *same.measured,
                                        .y = *same.force,
                                        .mark = plot::SeriesMark::kLoop,
                                        .style = plot::second_run_style()}}};
          for (plot::Series& series : chart.series) series.style.width = 0.9;
          loops.push_back(std::move(chart));
        }
    }
  return loops;
}

void write_overlays(document::HtmlDocument& document, const std::string& title,
                    const RunData& first, const RunData& second,
                    const std::vector<CommonSignal>& signals) {
  if (signals.empty()) return;
  document.chapter(title);
  for (const CommonSignal& signal : signals) write_overlay(document, first, second, signal);
}

void write_loops(document::HtmlDocument& document, std::vector<plot::Chart> loops) {
  if (loops.empty()) return;
  document.chapter("Hysteresis of the specimens");
  for (plot::Chart& loop : loops)
    document.picture(
        plot::figure_svg({.label = "Hysteresis of both runs",
                          .rows = {{.height = 320.0, .charts = {std::move(loop)}}},
                          .width = 520.0}));
}

std::vector<LimitUse> uses_of(const RunData& run) {
  std::vector<LimitUse> uses;
  for (const RecordedSiteData& site : run.sites)
    for (LimitUse& use : limit_uses(site, run)) uses.push_back(std::move(use));
  return uses;
}

document::OutcomeKind worse(document::OutcomeKind a, document::OutcomeKind b) {
  return static_cast<int>(a) > static_cast<int>(b) ? a : b;
}

}  // namespace

std::string comparison_page(const RunData& first, const RunData& second,
                            const std::string& generator) {
  const std::vector<Json> evaluations{evaluation_of(first), evaluation_of(second)};
  const RunVerdict one = verdict_of(first, evaluations[0], uses_of(first));
  const RunVerdict other = verdict_of(second, evaluations[1], uses_of(second));
  document::HtmlDocument document(
      "Two runs: " + first.meta("test") + " and " + second.meta("test"), generator);
  document.verdict(worse(one.outcome, other.outcome),
                   "First, " + one.sentence + " Second, " + other.sentence);
  document.chapter("The two runs");
  document::HtmlTable facts{.heads = {"", "first", "second"}, .words_from = 1};
  for (const char* key : {"test", "mode", "session", "model", "software"})
    if (!first.meta(key).empty() || !second.meta(key).empty())
      facts.rows.push_back({key, first.meta(key), second.meta(key)});
  facts.rows.push_back({"time step", plot::format_quantity(first.time_step, "s", 7),
                        plot::format_quantity(second.time_step, "s", 7)});
  for (std::size_t i = 0; i < std::min(one.figures.size(), other.figures.size()); ++i)
    if (one.figures[i].label == other.figures[i].label)
      facts.rows.push_back({one.figures[i].label,
                            one.figures[i].value + " (" + one.figures[i].detail + ")",
                            other.figures[i].value + " (" + other.figures[i].detail + ")"});
  document.table(facts);
  if (first.time_step != second.time_step)
    document.paragraph(
        "The time steps differ: the difference takes the nearest earlier row of the second "
        "run.");
  if (const std::vector<std::string> changes =
          records::calibration_changes(first.calibrations, second.calibrations);
      !changes.empty()) {
    document.chapter("Calibrations that changed");
    document.list(changes);
  }
  if (const std::vector<std::string> changes =
          records::specimen_changes(first.specimens, second.specimens);
      !changes.empty()) {
    document.chapter("Specimens that changed");
    document.list(changes);
  }
  write_criteria_chapter(document, evaluations, {kFirst, kSecond});
  write_overlays(document, "Responses of the structure", first, second,
                 common_responses(first, second));
  write_overlays(document, "Measured motions", first, second,
                 common_motions(first, second));
  write_loops(document, common_loops(first, second));
  write_provenance_chapter(document, first, "Provenance, first run");
  write_provenance_chapter(document, second, "Provenance, second run");
  return document.finish();
}

}  // namespace trestle::report
