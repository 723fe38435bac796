#include "studies/comparison/comparison_page.h"

#include <algorithm>
#include <cmath>

#include "observe/document/html_document.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"
#include "studies/comparison/comparison_text.h"

namespace trestle::comparison {
namespace {

constexpr std::size_t kMostBarCharts = 16;

/// Names of all results that are asked for, in their own order.
std::vector<std::string> compared_results(const std::vector<ComparisonEntry>& tests,
                                          const std::vector<std::string>& patterns) {
  std::vector<std::string> names;
  for (const ComparisonEntry& test : tests)
    for (const campaign::NamedResult& result : test.results)
      if (std::find(names.begin(), names.end(), result.name) == names.end())
        names.push_back(result.name);
  return campaign::select_results(names, patterns);
}

plot::BarChart bars_of(const std::string& name, const std::vector<ComparisonEntry>& tests) {
  const std::vector<std::string> titles = comparison_titles(tests);
  plot::BarChart chart{.title = name, .x = {.starts_at_zero = true}};
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const double* value = campaign::find_result(tests[i].results, name);
    // An incomplete run has no values to compare.
    const bool tells = value != nullptr && std::isfinite(*value) && tests[i].complete;
    chart.bars.push_back({.label = titles[i],
                          .to = tells ? *value : 0.0,
                          .text = tells ? plot::format_significant(*value, 4)
                                        : std::string("did not come to its end")});
    chart.label_width = std::max(chart.label_width, plot::text_width(titles[i]) + 16.0);
  }
  return chart;
}

std::string outcome_words(const ComparisonEntry& test) {
  if (test.stable) return "stable";
  const std::string what = test.complete || test.unstable ? "unstable" : "stopped";
  return test.complete ? what : what + " at " + plot::format_fixed(test.ended_at, 2) + " s";
}

document::HtmlTable outcome_table(const std::vector<ComparisonEntry>& tests) {
  document::HtmlTable table{
      .heads = {"test", "processor time of a tick", "outcome", "because"}, .words_from = 2};
  const std::vector<std::string> titles = comparison_titles(tests);
  for (std::size_t i = 0; i < tests.size(); ++i)
    table.rows.push_back(
        {titles[i],
         tests[i].recorded ? "\u2013" : plot::format_quantity(tests[i].tick, "s"),
         outcome_words(tests[i]), tests[i].reason});
  return table;
}

void write_changed_calibrations(document::HtmlDocument& document,
                                const std::vector<ComparisonEntry>& tests) {
  const std::vector<std::string> titles = comparison_titles(tests);
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < tests.size(); ++i)
    for (const std::string& change : tests[i].calibration_changes)
      changes.push_back(titles[i] + ": " + change);
  if (changes.empty()) return;
  document.chapter("Calibrations that changed since the first run");
  document.list(changes);
}

}  // namespace

std::string comparison_report(const std::vector<ComparisonEntry>& tests,
                              const std::vector<std::string>& patterns,
                              const std::string& generator) {
  const auto stable = std::count_if(
      tests.begin(), tests.end(), [](const ComparisonEntry& test) { return test.stable; });
  document::HtmlDocument document(
      "Comparison of " + std::to_string(tests.size()) + " tests", generator);
  const bool all = static_cast<std::size_t>(stable) == tests.size();
  document.verdict(
      all ? document::OutcomeKind::kGood : document::OutcomeKind::kAttention,
      all ? "All " + std::to_string(stable) + " tests came to their end and were stable."
          : std::to_string(stable) + " of " + std::to_string(tests.size()) +
                " tests came to their end and were stable; the others are named below.");
  document.chapter("Outcomes");
  document.table(outcome_table(tests));
  write_changed_calibrations(document, tests);
  document.chapter("Results side by side");
  const std::vector<std::string> names = compared_results(tests, patterns);
  document::HtmlTable table{.caption =
                                "Results as summary.json names them, the first of each "
                                "with [0]; J1 and J4 in ms, all other J in %",
                            .heads = {"result"}};
  for (const std::string& title : comparison_titles(tests)) table.heads.push_back(title);
  for (const std::string& name : names) {
    std::vector<std::string> row{name};
    for (const ComparisonEntry& test : tests) {
      const double* value = campaign::find_result(test.results, name);
      row.push_back(value == nullptr || !test.complete
                        ? "\u2013"
                        : plot::format_significant(*value, 4));
    }
    table.rows.push_back(std::move(row));
  }
  document.table(table);
  for (std::size_t i = 0; i < std::min(names.size(), kMostBarCharts); ++i) {
    plot::BarChart bars = bars_of(names[i], tests);
    const double height = plot::bar_chart_height(bars);
    document.picture(
        plot::figure_svg({.label = names[i] + " of each test",
                          .rows = {{.height = height, .charts = {std::move(bars)}}}}));
  }
  return document.finish();
}

}  // namespace trestle::comparison
