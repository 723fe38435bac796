#include "studies/campaign/campaign_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "studies/campaign/statistics.h"

namespace trestle::campaign {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRowsOnScreen = 36;
constexpr std::size_t kReasonsOnScreen = 3;

struct Counts {
  std::int64_t stable = 0;
  std::int64_t unstable = 0;
  std::int64_t impossible = 0;

  /// Share of the possible runs.
  double unstable_share() const {
    return stable + unstable == 0
               ? 0.0
               : static_cast<double>(unstable) / static_cast<double>(stable + unstable);
  }
};

Counts counts_of(const CampaignRecord& record) {
  Counts counts;
  for (const StoredRun& run : record.runs) {
    if (run.run == 0) continue;
    counts.stable += run.outcome == RunOutcome::kStable ? 1 : 0;
    counts.unstable += run.outcome == RunOutcome::kUnstable ? 1 : 0;
    counts.impossible += run.outcome == RunOutcome::kInvalid ? 1 : 0;
  }
  return counts;
}

const StoredRun* nominal_run(const CampaignRecord& record) {
  return record.runs.empty() || record.runs.front().run != 0 ? nullptr
                                                             : &record.runs.front();
}

enum class Over { kStable, kPossible };

/// Of the drawn runs that were stable, or of all that could be run.
Statistics statistics_over(Over which, const CampaignRecord& record, std::size_t result) {
  std::vector<double> values;
  for (const StoredRun& run : record.runs)
    if (run.run > 0 && (run.outcome == RunOutcome::kStable ||
                        (which == Over::kPossible && run.outcome == RunOutcome::kUnstable)))
      values.push_back(run.values[result]);
  return statistics_of(values);
}

double nominal_value(const CampaignRecord& record, std::size_t result) {
  const StoredRun* nominal = nominal_run(record);
  return nominal == nullptr || nominal->outcome != RunOutcome::kStable
             ? kNone
             : nominal->values[result];
}

/// No run differs from another in anything: what was drawn did not reach the test.
bool all_alike(const CampaignRecord& record) {
  const StoredRun* first = nullptr;
  std::size_t compared = 0;
  for (const StoredRun& run : record.runs) {
    if (run.run == 0 || run.outcome == RunOutcome::kInvalid) continue;
    if (first == nullptr) first = &run;
    const auto same = [](double a, double b) {
      return a == b || (std::isnan(a) && std::isnan(b));
    };
    if (run.outcome != first->outcome ||
        !std::equal(run.values.begin(), run.values.end(), first->values.begin(),
                    first->values.end(), same))
      return false;
    ++compared;
  }
  return compared > 1;
}

const char* word(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::kStable:
      return "stable";
    case RunOutcome::kUnstable:
      return "unstable";
    case RunOutcome::kInvalid:
      break;
  }
  return "impossible";
}

Json as_json(const Statistics& statistics) {
  return {{"count", statistics.count}, {"mean", statistics.mean},  {"sd", statistics.sd},
          {"p5", statistics.p5},       {"p50", statistics.p50},    {"p95", statistics.p95},
          {"min", statistics.lowest},  {"max", statistics.highest}};
}

Json drawn_json(const StudyPlan& plan, const CampaignRecord& record) {
  Json parameters = Json::object();
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    std::vector<double> values;
    for (const StoredRun& run : record.runs)
      if (run.run > 0) values.push_back(drawn_values(plan, run.run)[i]);
    Json& parameter = parameters[plan.parameters[i].name];
    parameter["drawn"] = plan.parameters[i].is_factor ? "factor" : "value";
    parameter["paths"] = Json::array();
    for (const VariedField& place : plan.parameters[i].places)
      parameter["paths"].push_back(place.path);
    parameter["statistics"] = as_json(statistics_of(values));
  }
  return parameters;
}

std::string line(const std::string& name, double nominal, const Statistics& s) {
  char text[400];
  std::snprintf(text, sizeof text, " %9.4g %9.4g %9.3g %9.4g %9.4g %9.4g %9.4g %9.4g\n",
                nominal, s.mean, s.sd, s.p5, s.p50, s.p95, s.lowest, s.highest);
  return name + text;
}

std::string table_text(const StudyPlan& plan, const CampaignRecord& record, Over which) {
  const std::vector<std::string> chosen = select_results(record.names, plan.results);
  const std::size_t rows = std::min(chosen.size(), kRowsOnScreen);
  std::size_t width = 10;
  for (std::size_t i = 0; i < rows; ++i) width = std::max(width, chosen[i].size());
  const auto padded = [width](const std::string& name) {
    return name + std::string(width - name.size(), ' ');
  };
  char head[200];
  std::snprintf(head, sizeof head, " %9s %9s %9s %9s %9s %9s %9s %9s\n", "nominal", "mean",
                "sd", "5 %", "50 %", "95 %", "min", "max");
  std::string text = padded("result") + head;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto found = std::find(record.names.begin(), record.names.end(), chosen[i]);
    const auto result = static_cast<std::size_t>(found - record.names.begin());
    text += line(padded(chosen[i]), nominal_value(record, result),
                 statistics_over(which, record, result));
  }
  if (chosen.size() > kRowsOnScreen)
    text += std::to_string(chosen.size() - kRowsOnScreen) + " more in summary.json\n";
  return text;
}

std::string reasons_text(const CampaignRecord& record) {
  std::string text;
  std::size_t shown = 0;
  std::size_t all = 0;
  for (const StoredRun& run : record.runs) {
    if (run.outcome == RunOutcome::kStable) continue;
    ++all;
    if (++shown > kReasonsOnScreen) continue;
    text += word(run.outcome);
    text += std::string(11 - std::string(word(run.outcome)).size(), ' ') +
            (run.run == 0 ? "nominal run" : "run " + std::to_string(run.run)) + ": " +
            run.reason + "\n";
  }
  if (all > kReasonsOnScreen)
    text += "           and " + std::to_string(all - kReasonsOnScreen) +
            " more; all in summary.json\n";
  return text;
}

}  // namespace

exports::NumberTable campaign_table(const StudyPlan& plan, const CampaignRecord& record,
                                    const CampaignFacts& facts) {
  exports::NumberTable table;
  table.name = "result";
  table.columns = {{"run", "1"}, {"stable", "1"}};
  for (const Parameter& parameter : plan.parameters)
    table.columns.push_back({parameter.name, parameter.is_factor ? "1" : "SI"});
  for (const std::string& name : record.names) table.columns.push_back({name, ""});
  table.values.resize(table.columns.size());
  table.texts = {{"outcome", {}}, {"reason", {}}};
  table.facts = {{"study", plan.name},
                 {"seed", std::to_string(plan.seed)},
                 {"software", facts.software}};
  for (const StoredRun& run : record.runs) {
    if (run.run == 0) continue;
    const bool stable = run.outcome == RunOutcome::kStable;
    std::size_t column = 0;
    table.values[column++].push_back(static_cast<double>(run.run));
    table.values[column++].push_back(stable ? 1.0 : 0.0);
    for (const double value : drawn_values(plan, run.run))
      table.values[column++].push_back(value);
    for (std::size_t i = 0; i < record.names.size(); ++i) {
      const bool tells =
          stable || (run.outcome == RunOutcome::kUnstable &&
                     (plan.include_unstable || record.names[i] == "steps_done"));
      table.values[column++].push_back(tells ? run.values[i] : kNone);
    }
    table.texts[0].second.emplace_back(word(run.outcome));
    table.texts[1].second.push_back(run.reason);
  }
  return table;
}

std::string campaign_json(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts) {
  const Counts counts = counts_of(record);
  Json json;
  json["study"] = plan.name;
  json["seed"] = plan.seed;
  json["design"] = plan.design_name;
  json["runs"] = plan.runs;
  json["stable"] = counts.stable;
  json["unstable"] = counts.unstable;
  json["impossible"] = counts.impossible;
  json["unstable_share"] = counts.unstable_share();
  json["all_alike"] = all_alike(record);
  json["software"] = facts.software;
  json["parameters"] = drawn_json(plan, record);
  json["results"] = Json::object();
  for (std::size_t i = 0; i < record.names.size(); ++i) {
    json["results"][record.names[i]] = {{"nominal", nominal_value(record, i)}};
    json["results"][record.names[i]].update(
        as_json(statistics_over(Over::kStable, record, i)));
    if (plan.include_unstable)
      json["results"][record.names[i]]["with_unstable"] =
          as_json(statistics_over(Over::kPossible, record, i));
  }
  if (plan.sensitivity.kind != SensitivityPlan::Kind::kNone)
    json["sensitivity"] = Json::parse(sensitivity_json(plan, facts.sensitivity));
  json["not_stable"] = Json::array();
  for (const StoredRun& run : record.runs)
    if (run.outcome != RunOutcome::kStable)
      json["not_stable"].push_back(
          {{"run", run.run}, {"outcome", word(run.outcome)}, {"reason", run.reason}});
  return json.dump(2) + "\n";
}

std::string why_none_could_run(const CampaignRecord& record) {
  const Counts counts = counts_of(record);
  if (counts.impossible == 0 || counts.stable + counts.unstable > 0) return {};
  for (const StoredRun& run : record.runs)
    if (run.run > 0)
      return "none of the " + std::to_string(counts.impossible) +
             " drawn runs could be run; run " + std::to_string(run.run) + ": " + run.reason;
  return {};
}

std::string campaign_text(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts) {
  const Counts counts = counts_of(record);
  char head[300];
  std::snprintf(head, sizeof head, "%s %lld runs: %lld stable, %lld unstable (%.3g %%)",
                why_none_could_run(record).empty() ? "COMPLETE  " : "IMPOSSIBLE",
                static_cast<long long>(plan.runs), static_cast<long long>(counts.stable),
                static_cast<long long>(counts.unstable), 100.0 * counts.unstable_share());
  std::string text = head;
  if (counts.impossible > 0)
    text += ", " + std::to_string(counts.impossible) + " impossible";
  if (all_alike(record))
    text +=
        "\nodd        all runs gave the same results to the last bit: what is drawn has "
        "no effect on this test";
  text += "; the stable ones:\n" + table_text(plan, record, Over::kStable);
  if (plan.include_unstable)
    text += "with the unstable ones:\n" + table_text(plan, record, Over::kPossible);
  text += reasons_text(record);
  const bool sensitive = plan.sensitivity.kind != SensitivityPlan::Kind::kNone;
  if (sensitive) text += sensitivity_text(plan, facts.sensitivity);
  if (!plan.notice.empty()) text += "notice     " + plan.notice + "\n";
  text += "record     " + facts.folder + ": results.csv, results.h5, results.mat, " +
          (sensitive ? "sensitivity.csv, " : "") + "summary.json, report.html\n";
  text += "next       trestle campaign " + facts.study + " --out " + facts.folder +
          " --run 1    repeats one run alone, with its whole record\n";
  return text;
}

}  // namespace trestle::campaign
