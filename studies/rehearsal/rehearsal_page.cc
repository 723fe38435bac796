#include "studies/rehearsal/rehearsal_page.h"

#include <algorithm>
#include <filesystem>

#include "observe/document/html_document.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"

namespace trestle::rehearsal {
namespace {

constexpr std::size_t kMostViolations = 100;

using OutcomeCounts = std::array<std::int64_t, kOutcomes>;

std::int64_t all_of(const OutcomeCounts& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

std::vector<std::string> outcome_row(const std::string& name, const OutcomeCounts& counts) {
  std::vector<std::string> row{name};
  for (const std::int64_t count : counts) row.push_back(plot::format_count(count));
  row.push_back(plot::format_count(all_of(counts)));
  return row;
}

/// Of the scenarios with a fault, the share that completed the test.
plot::BarChart completed_bars(const RehearsalReport& report) {
  plot::BarChart bars{.title = "Scenarios that came to the end of the test",
                      .note = "without or after a restart or a hold",
                      .x = {.label = "share of the scenarios with this fault",
                            .unit = {1.0, "%"},
                            .lowest = 0.0,
                            .highest = 100.0},
                      .label_width = 200.0};
  for (std::size_t i = 0; i < kFaultSorts; ++i) {
    const OutcomeCounts& counts = report.by_fault[i];
    const std::int64_t all = all_of(counts);
    if (all == 0) continue;
    const std::int64_t completed = counts[static_cast<std::size_t>(Outcome::kCompleted)] +
                                   counts[static_cast<std::size_t>(Outcome::kResumed)];
    bars.bars.push_back(
        {.label = std::string(name(static_cast<FaultType>(i))),
         .to = 100.0 * static_cast<double>(completed) / static_cast<double>(all),
         .text = plot::format_count(completed) + " of " + plot::format_count(all)});
  }
  return bars;
}

}  // namespace

std::string rehearsal_page(const RehearsalReport& report, const RehearsalSettings& settings,
                           const std::string& generator) {
  const std::string test = std::filesystem::path(settings.test).filename().string();
  document::HtmlDocument document("Rehearsal of faults of the test " + test, generator);
  const bool kept = report.broken.empty();
  document.verdict(
      kept ? document::OutcomeKind::kGood : document::OutcomeKind::kBad,
      kept ? "KEPT: all promises were kept in " + plot::format_count(report.scenarios) +
                 " scenarios; the safe action came at most " +
                 std::to_string(report.max_ticks_to_safe_action) +
                 " control ticks after an event."
           : "BROKEN: " + plot::format_count(static_cast<long long>(report.broken.size())) +
                 " of " + plot::format_count(report.scenarios) +
                 " scenarios broke a promise.");
  document.chapter("Outcomes");
  document::HtmlTable table{
      .caption = "Scenarios in which a fault took part, by what became of the test",
      .heads = {"fault"}};
  for (std::size_t i = 0; i < kOutcomes; ++i)
    table.heads.emplace_back(name(static_cast<Outcome>(i)));
  table.heads.emplace_back("all");
  for (std::size_t i = 0; i < kFaultSorts; ++i)
    table.rows.push_back(
        outcome_row(std::string(name(static_cast<FaultType>(i))), report.by_fault[i]));
  table.rows.push_back(outcome_row("all scenarios", report.outcomes));
  document.table(table);
  plot::BarChart bars = completed_bars(report);
  if (!bars.bars.empty()) {
    const double height = plot::bar_chart_height(bars);
    document.picture(
        plot::figure_svg({.label = "Share of completed scenarios by fault",
                          .rows = {{.height = height, .charts = {std::move(bars)}}}}));
  }
  document.paragraph("Seed " + std::to_string(settings.seed) + ", " +
                     std::to_string(report.steps) + " of the test's " +
                     std::to_string(report.whole_steps) + " steps in each scenario.");
  if (kept) return document.finish();
  document.chapter("Broken promises");
  document::HtmlTable broken{.heads = {"scenario", "promise"}, .words_from = 1};
  for (const BrokenScenario& scenario : report.broken)
    for (const std::string& violation : scenario.violations)
      if (broken.rows.size() < kMostViolations)
        broken.rows.push_back({std::to_string(scenario.scenario), violation});
  document.table(broken);
  return document.finish();
}

}  // namespace trestle::rehearsal
