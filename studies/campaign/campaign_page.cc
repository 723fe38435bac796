#include "studies/campaign/campaign_page.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "observe/document/html_document.h"
#include "observe/plot/distribution_plot.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"
#include "studies/campaign/statistics.h"

namespace trestle::campaign {
namespace {

constexpr std::size_t kMostResults = 12;
constexpr std::size_t kMostReasons = 12;
constexpr std::size_t kWorstDraws = 5;
constexpr std::size_t kFewestForSwings = 25;
constexpr std::size_t kFewestForScatter = 5;
constexpr std::size_t kMostScatters = 4;

/// One result over the stable drawn runs, with what was drawn for each.
struct ResultDraws {
  std::string name;
  std::vector<std::int64_t> runs;
  std::vector<double> values;
  std::vector<std::vector<double>> parameters;  ///< of each parameter, a value per run
};

ResultDraws draws_of(const StudyPlan& plan, const CampaignRecord& record,
                     std::size_t result) {
  ResultDraws draws{
      .name = record.names[result], .runs = {}, .values = {}, .parameters = {}};
  draws.parameters.resize(plan.parameters.size());
  for (const StoredRun& run : record.runs) {
    if (run.run == 0 || run.outcome != RunOutcome::kStable ||
        !std::isfinite(run.values[result]))
      continue;
    draws.runs.push_back(run.run);
    draws.values.push_back(run.values[result]);
    const std::vector<double> drawn = drawn_values(plan, run.run);
    for (std::size_t i = 0; i < drawn.size(); ++i) draws.parameters[i].push_back(drawn[i]);
  }
  return draws;
}

/// The formula of a standard error holds for these alone: the points of a sequence or a
/// Latin hypercube and the rows of indices are made to depend on each other.
bool has_independent_draws(const StudyPlan& plan) {
  return plan.design_name == "random" &&
         plan.sensitivity.kind == SensitivityPlan::Kind::kNone;
}

/// The mean of the first n runs, and where draws are independent twice its standard error.
plot::Chart convergence_chart(const StudyPlan& plan, const ResultDraws& draws) {
  plot::Series mean{.name = "mean", .style = plot::series_style(0)};
  plot::Series low{.name = "± 2 standard errors", .style = plot::series_style(1)};
  plot::Series high{.style = plot::series_style(1)};
  double sum = 0.0;
  double squares = 0.0;  // of differences from the first value: no large numbers cancel
  for (std::size_t i = 0; i < draws.values.size(); ++i) {
    const double count = static_cast<double>(i + 1);
    const double apart = draws.values[i] - draws.values.front();
    sum += apart;
    squares += apart * apart;
    if (i < 2) continue;
    const double variance = std::max(0.0, (squares - sum * sum / count) / (count - 1.0));
    const double error = 2.0 * std::sqrt(variance / count);
    const double now = draws.values.front() + sum / count;
    for (plot::Series* line : {&mean, &low, &high}) line->x.push_back(count);
    mean.y.push_back(now);
    low.y.push_back(now - error);
    high.y.push_back(now + error);
  }
  plot::Chart chart{.title = "Convergence of the mean",
                    .x = {.label = "stable runs"},
                    .series = {std::move(mean)}};
  if (!has_independent_draws(plan)) return chart;
  chart.series.push_back(std::move(low));
  chart.series.push_back(std::move(high));
  return chart;
}

double mean_over(const std::vector<double>& values, const std::vector<std::size_t>& places,
                 std::size_t from, std::size_t to) {
  double sum = 0.0;
  for (std::size_t i = from; i < to; ++i) sum += values[places[i]];
  return sum / static_cast<double>(to - from);
}

/// The mean of a result over the fifth of the runs in which a parameter is smallest, and
/// over that in which it is largest.
std::vector<plot::Swing> swings_of(const StudyPlan& plan, const ResultDraws& draws) {
  std::vector<plot::Swing> swings;
  const std::size_t count = draws.values.size();
  const std::size_t fifth = count / 5;
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    std::vector<std::size_t> order(count);
    for (std::size_t k = 0; k < count; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return draws.parameters[i][a] < draws.parameters[i][b];
    });
    swings.push_back({.input = plan.parameters[i].name,
                      .at_low = mean_over(draws.values, order, 0, fifth),
                      .at_high = mean_over(draws.values, order, count - fifth, count)});
  }
  return swings;
}

/// Parameters, the first of them those that matter to a result, and by which measure.
struct DecisiveParameters {
  std::vector<std::size_t> order;
  std::string measure;
};

DecisiveParameters decisive_parameters(const StudyPlan& plan, const ResultDraws& draws,
                                       const CampaignSensitivity& sensitivity) {
  for (const ResultSensitivity& result : sensitivity.results)
    if (result.result == draws.name && result.groups > 0)
      return {by_sensitivity(result), result.effects.empty()
                                          ? "with the largest total index"
                                          : "with the largest μ*"};
  DecisiveParameters decisive{.order = {}, .measure = "that stand first in the study"};
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) decisive.order.push_back(i);
  if (draws.values.size() < kFewestForSwings) return decisive;
  decisive.measure = "with the longest bars below";
  const std::vector<plot::Swing> swings = swings_of(plan, draws);
  const auto length = [&](std::size_t i) {
    return std::abs(swings[i].at_high - swings[i].at_low);
  };
  std::stable_sort(decisive.order.begin(), decisive.order.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  return decisive;
}

std::vector<plot::Chart> scatters_of(const StudyPlan& plan, const ResultDraws& draws,
                                     const std::vector<std::size_t>& order) {
  std::vector<plot::Chart> charts;
  for (const std::size_t i : order) {
    if (charts.size() == kMostScatters) break;
    // The name stands where that of an upright axis does: a title would be at its first
    // tick.
    charts.push_back({.x = {.label = plan.parameters[i].name},
                      .y = {.label = draws.name},
                      .series = {{.x = draws.parameters[i],
                                  .y = draws.values,
                                  .mark = plot::SeriesMark::kPoints,
                                  .style = plot::series_style(0)}}});
  }
  return charts;
}

/// The distribution, the convergence, and the result over the parameters that matter most.
void write_clouds(document::HtmlDocument& document, const StudyPlan& plan,
                  const ResultDraws& draws, const CampaignSensitivity& sensitivity) {
  plot::Figure figure{.label = "Distribution and convergence of " + draws.name};
  figure.rows.push_back({.height = 230.0,
                         .charts = {plot::histogram("Distribution over the stable runs",
                                                    {.label = draws.name}, draws.values),
                                    convergence_chart(plan, draws)}});
  std::string caption;
  if (!has_independent_draws(plan))
    caption =
        "The mean has no band of standard errors: their formula is that of independent "
        "draws, which those of this design need not be.";
  if (draws.values.size() >= kFewestForScatter) {
    const DecisiveParameters decisive = decisive_parameters(plan, draws, sensitivity);
    const std::size_t all = plan.parameters.size();
    if (all > kMostScatters)
      caption += (caption.empty() ? "" : " ") + std::to_string(kMostScatters) + " of " +
                 std::to_string(all) + " parameters are drawn: those " + decisive.measure +
                 ".";
    std::vector<plot::Chart> charts = scatters_of(plan, draws, decisive.order);
    for (std::size_t i = 0; i + 1 < charts.size(); i += 2)
      figure.rows.push_back({.height = 220.0, .charts = {charts[i], charts[i + 1]}});
    if (charts.size() % 2 == 1)
      figure.rows.push_back({.height = 220.0, .charts = {charts.back()}});
  }
  document.picture(plot::figure_svg(figure), caption);
}

void write_result(document::HtmlDocument& document, const StudyPlan& plan,
                  const ResultDraws& draws, const CampaignFacts& facts) {
  document.heading(draws.name);
  write_clouds(document, plan, draws, facts.sensitivity);
  if (draws.values.size() >= kFewestForSwings && plan.parameters.size() > 1) {
    plot::BarChart swings =
        plot::tornado("What the parameters do to " + draws.name, {.label = draws.name},
                      statistics_of(draws.values).mean, swings_of(plan, draws));
    const double height = plot::bar_chart_height(swings);
    document.picture(
        plot::figure_svg({.label = "Tornado of " + draws.name,
                          .rows = {{.height = height, .charts = {std::move(swings)}}}}),
        "From the mean of the fifth of the runs in which the parameter is smallest to that "
        "in which it is largest; hatched: the result falls where the parameter rises; "
        "dashed: the mean of all.");
  }
  std::vector<std::size_t> order(draws.values.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(draws.values[a]) > std::abs(draws.values[b]);
  });
  document::HtmlTable worst{.caption = "The largest values; `trestle campaign " +
                                       facts.study + " --run N` repeats run N",
                            .heads = {"run", "value"}};
  for (std::size_t i = 0; i < std::min(order.size(), kWorstDraws); ++i)
    worst.rows.push_back({std::to_string(draws.runs[order[i]]),
                          plot::format_significant(draws.values[order[i]], 5)});
  document.table(worst);
}

void write_failures(document::HtmlDocument& document, const CampaignRecord& record) {
  std::map<std::string, std::vector<std::int64_t>> by_reason;
  for (const StoredRun& run : record.runs)
    if (run.run > 0 && run.outcome != RunOutcome::kStable)
      by_reason[run.reason].push_back(run.run);
  if (by_reason.empty()) return;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> reasons(by_reason.begin(),
                                                                         by_reason.end());
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) {
    return a.second.size() > b.second.size();
  });
  document.chapter("Runs that were not stable, by reason");
  plot::BarChart bars{.title = "Number of runs",
                      .x = {.label = "runs", .starts_at_zero = true}};
  document::HtmlTable table{.heads = {"", "runs", "reason", "first of them"},
                            .words_from = 2};
  for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i) {
    const auto& [reason, runs] = reasons[i];
    const std::string name = "reason " + std::to_string(i + 1);
    bars.bars.push_back({.label = name,
                         .to = static_cast<double>(runs.size()),
                         .text = std::to_string(runs.size())});
    table.rows.push_back(
        {name, std::to_string(runs.size()), reason, "run " + std::to_string(runs.front())});
  }
  const double height = plot::bar_chart_height(bars);
  document.picture(
      plot::figure_svg({.label = "Number of runs by reason",
                        .rows = {{.height = height, .charts = {std::move(bars)}}}}));
  document.table(table);
  if (reasons.size() > kMostReasons)
    document.paragraph(std::to_string(reasons.size() - kMostReasons) +
                       " more reasons are in summary.json.");
}

std::string interval_cell(const sensitivity::IntervalEstimate& estimate) {
  std::string text = plot::format_significant(estimate.value, 3);
  if (!std::isnan(estimate.low))
    text += " [" + plot::format_significant(estimate.low, 3) + ", " +
            plot::format_significant(estimate.high, 3) + "]";
  return text;
}

/// The largest measure on top: total index with the first-order one as its mark, or μ*.
plot::BarChart sensitivity_bars(const StudyPlan& plan, const ResultSensitivity& result) {
  plot::BarChart chart{
      .title = "What decides " + result.result,
      .x = {.label = result.effects.empty() ? "total index; mark: first order" : "\u03bc*",
            .starts_at_zero = true}};
  for (const std::size_t i : by_sensitivity(result)) {
    plot::Bar bar{.label = plan.parameters[i].name};
    if (result.effects.empty()) {
      bar.to = result.indices.total[i].value;
      bar.mark = result.indices.first[i].value;
    } else {
      bar.to = result.effects[i].mean_absolute;
    }
    bar.text = plot::format_significant(bar.to, 3);
    if (std::isfinite(bar.to)) chart.bars.push_back(std::move(bar));
  }
  return chart;
}

void write_sensitivity(document::HtmlDocument& document, const StudyPlan& plan,
                       const CampaignSensitivity& sensitivity) {
  if (sensitivity.kind == SensitivityPlan::Kind::kNone) return;
  document.chapter("Sensitivity to the parameters");
  if (const std::string caveat = sensitivity_caveat(sensitivity); !caveat.empty())
    document.paragraph(caveat + ".");
  for (std::size_t r = 0; r < std::min(sensitivity.results.size(), kMostResults); ++r) {
    const ResultSensitivity& result = sensitivity.results[r];
    plot::BarChart bars = sensitivity_bars(plan, result);
    if (bars.bars.empty()) continue;  // the same in all runs
    document.heading(result.result);
    const double height = plot::bar_chart_height(bars);
    document.picture(
        plot::figure_svg({.label = "Sensitivity of " + result.result,
                          .rows = {{.height = height, .charts = {std::move(bars)}}}}));
    document::HtmlTable table{.heads = {"parameter", "first-order index", "total index"}};
    if (!result.effects.empty()) table.heads = {"parameter", "\u03bc", "\u03bc*", "\u03c3"};
    for (const std::size_t i : by_sensitivity(result)) {
      std::vector<std::string> row{plan.parameters[i].name};
      if (result.effects.empty()) {
        row.push_back(interval_cell(result.indices.first[i]));
        row.push_back(interval_cell(result.indices.total[i]));
      } else {
        for (const double value : {result.effects[i].mean, result.effects[i].mean_absolute,
                                   result.effects[i].deviation})
          row.push_back(plot::format_significant(value, 3));
      }
      table.rows.push_back(std::move(row));
    }
    document.table(table);
  }
}

document::HtmlTable statistics_table(const std::vector<ResultDraws>& results) {
  document::HtmlTable table{
      .caption =
          "Over the stable runs, by the names of summary.json, the first of each with "
          "[0]; J1 and J4 in ms, all other J in %",
      .heads = {"result", "runs", "mean", "sd", "5 %", "50 %", "95 %", "min", "max"}};
  for (const ResultDraws& draws : results) {
    const Statistics s = statistics_of(draws.values);
    std::vector<std::string> row{draws.name, std::to_string(s.count)};
    for (const double value : {s.mean, s.sd, s.p5, s.p50, s.p95, s.lowest, s.highest})
      row.push_back(plot::format_significant(value, 4));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string campaign_page(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts, const std::string& generator) {
  std::int64_t stable = 0;
  std::int64_t drawn = 0;
  for (const StoredRun& run : record.runs) {
    drawn += run.run > 0 ? 1 : 0;
    stable += run.run > 0 && run.outcome == RunOutcome::kStable ? 1 : 0;
  }
  document::HtmlDocument document("Report of the campaign " + plan.name, generator);
  document.verdict(
      stable == drawn ? document::OutcomeKind::kGood : document::OutcomeKind::kAttention,
      plot::format_count(stable) + " of " + plot::format_count(drawn) +
          " drawn runs of \u201c" + plan.name +
          "\u201d came to their end and were stable.");
  document.chapter("What was varied");
  document::HtmlTable parameters{.heads = {"parameter", "drawn as", "places"},
                                 .words_from = 1};
  for (const Parameter& parameter : plan.parameters) {
    std::string places;
    for (const VariedField& place : parameter.places)
      places += (places.empty() ? "" : ", ") + place.path;
    parameters.rows.push_back(
        {parameter.name, parameter.is_factor ? "factor" : "value", places});
  }
  document.table(parameters);
  document.paragraph("Seed " + std::to_string(plan.seed) + ", software " + facts.software +
                     ".");
  write_failures(document, record);
  write_sensitivity(document, plan, facts.sensitivity);
  std::vector<ResultDraws> results;
  std::vector<std::string> constant;
  for (const std::string& name : select_results(record.names, plan.results)) {
    if (results.size() == kMostResults) break;
    const auto place = std::find(record.names.begin(), record.names.end(), name);
    ResultDraws draws =
        draws_of(plan, record, static_cast<std::size_t>(place - record.names.begin()));
    // A value that is the same in all runs needs a line of the table and no picture.
    const Statistics found = statistics_of(draws.values);
    if (found.count > 0 && found.lowest == found.highest)
      constant.push_back(name + ": " + plot::format_significant(found.lowest, 5) +
                         " in all stable runs");
    else if (found.count > 0)
      results.push_back(std::move(draws));
  }
  if (!results.empty() || !constant.empty()) {
    document.chapter("Results");
    document.list(constant);
    document.table(statistics_table(results));
    for (const ResultDraws& draws : results) write_result(document, plan, draws, facts);
  }
  return document.finish();
}

}  // namespace trestle::campaign
