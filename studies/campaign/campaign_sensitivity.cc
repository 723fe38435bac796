#include "studies/campaign/campaign_sensitivity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/number_text.h"

namespace trestle::campaign {
namespace {

using Kind = SensitivityPlan::Kind;
using SensitivityJson = nlohmann::ordered_json;

constexpr double kMostTakenOut = 0.05;
constexpr std::size_t kResultsInText = 6;
constexpr std::size_t kParametersInText = 10;

/// The runs of one row or trajectory.
struct RunGroup {
  std::int64_t number = 0;
  const StoredRun* runs = nullptr;
  bool unstable = false;
  bool impossible = false;
};

std::size_t group_size(const StudyPlan& plan) {
  return plan.parameters.size() + (plan.sensitivity.kind == Kind::kSobolIndices ? 2 : 1);
}

std::vector<RunGroup> groups_of(const StudyPlan& plan, const CampaignRecord& record) {
  const std::size_t size = group_size(plan);
  const std::size_t nominal =
      !record.runs.empty() && record.runs.front().run == 0 ? 1U : 0U;
  std::vector<RunGroup> groups;
  for (std::size_t at = nominal; at + size <= record.runs.size(); at += size) {
    RunGroup group{.number = static_cast<std::int64_t>(groups.size()),
                   .runs = &record.runs[at]};
    for (std::size_t i = 0; i < size; ++i) {
      group.unstable |= group.runs[i].outcome == RunOutcome::kUnstable;
      group.impossible |= group.runs[i].outcome == RunOutcome::kInvalid;
    }
    groups.push_back(group);
  }
  return groups;
}

/// What the runs of a group gave; empty: not all of them gave a number.
std::vector<double> outputs_of(const RunGroup& group, std::size_t size,
                               const std::function<double(const StoredRun&)>& value) {
  std::vector<double> outputs;
  for (std::size_t i = 0; i < size; ++i) {
    outputs.push_back(value(group.runs[i]));
    if (!std::isfinite(outputs.back())) return {};
  }
  return outputs;
}

void add_moves(const design::MorrisTrajectories& trajectories, std::int64_t trajectory,
               const std::vector<double>& outputs,
               std::vector<sensitivity::ElementaryMove>& moves) {
  const std::int64_t first = trajectory * static_cast<std::int64_t>(trajectories.length());
  for (std::size_t step = 0; step + 1 < outputs.size(); ++step) {
    const std::size_t moved = trajectories.moved(trajectory, step);
    const std::int64_t at = first + static_cast<std::int64_t>(step);
    moves.push_back({moved, trajectories.point(at)[moved],
                     trajectories.point(at + 1)[moved], outputs[step], outputs[step + 1]});
  }
}

ResultSensitivity measure(const StudyPlan& plan, const std::string& name,
                          const std::vector<RunGroup>& groups, bool with_unstable,
                          const std::function<double(const StoredRun&)>& value) {
  ResultSensitivity measured{.result = name, .groups = 0, .indices = {}, .effects = {}};
  std::vector<std::vector<double>> rows;
  std::vector<sensitivity::ElementaryMove> moves;
  for (const RunGroup& group : groups) {
    if (group.impossible || (group.unstable && !with_unstable)) continue;
    std::vector<double> outputs = outputs_of(group, group_size(plan), value);
    if (outputs.empty()) continue;
    ++measured.groups;
    if (plan.sensitivity.kind == Kind::kSobolIndices)
      rows.push_back(std::move(outputs));
    else
      add_moves(*plan.sensitivity.trajectories, group.number, outputs, moves);
  }
  const std::size_t parameters = plan.parameters.size();
  if (plan.sensitivity.kind == Kind::kSobolIndices)
    measured.indices = sensitivity::sobol_indices(
        rows, parameters, {.replicates = plan.sensitivity.bootstrap, .seed = plan.seed});
  else
    measured.effects = sensitivity::elementary_effects(moves, parameters);
  return measured;
}

double main_measure(const ResultSensitivity& result, std::size_t parameter) {
  const double value = result.effects.empty() ? result.indices.total[parameter].value
                                              : result.effects[parameter].mean_absolute;
  return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
}

/// The same in all runs: no parameter has an effect, and no measure a value.
bool is_constant(const ResultSensitivity& result) {
  return result.effects.empty()
             ? !(result.indices.variance > 0.0)
             : std::none_of(result.effects.begin(), result.effects.end(),
                            [](const sensitivity::ElementaryEffects& effects) {
                              return effects.mean_absolute > 0.0;
                            });
}

const char* group_noun(const CampaignSensitivity& sensitivity) {
  return sensitivity.kind == Kind::kSobolIndices ? "rows" : "trajectories";
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted_text = "\"";
  for (const char c : text)
    quoted_text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted_text + "\"";
}

void append_cell(std::string& line, double value) {
  line += ',';
  if (!std::isnan(value)) append_number(line, value);
}

std::string interval_text(const sensitivity::IntervalEstimate& estimate) {
  char text[100];
  if (std::isnan(estimate.low))
    std::snprintf(text, sizeof text, "%8.4f %18s", estimate.value, "");
  else
    std::snprintf(text, sizeof text, "%8.4f [%7.4f, %7.4f]", estimate.value, estimate.low,
                  estimate.high);
  return text;
}

std::string measures_text(const ResultSensitivity& result, std::size_t parameter) {
  if (result.effects.empty())
    return interval_text(result.indices.first[parameter]) + "  " +
           interval_text(result.indices.total[parameter]);
  const sensitivity::ElementaryEffects& effects = result.effects[parameter];
  char text[100];
  std::snprintf(text, sizeof text, "%11.4g %11.4g %11.4g", effects.mean,
                effects.mean_absolute, effects.deviation);
  return text;
}

SensitivityJson interval_json(const sensitivity::IntervalEstimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

}  // namespace

CampaignSensitivity sensitivity_of(const StudyPlan& plan, const CampaignRecord& record,
                                   bool force) {
  CampaignSensitivity found{.kind = plan.sensitivity.kind,
                            .groups = plan.sensitivity.groups};
  if (found.kind == Kind::kNone) return found;
  const std::vector<RunGroup> groups = groups_of(plan, record);
  for (const RunGroup& group : groups) {
    found.impossible += group.impossible ? 1 : 0;
    found.unstable += group.unstable && !group.impossible ? 1 : 0;
  }
  const double most = kMostTakenOut * static_cast<double>(groups.size());
  const bool few_possible = static_cast<double>(found.impossible) > most;
  found.withheld = !force && static_cast<double>(found.impossible + found.unstable) > most;
  if (found.unstable > 0 && (force || !few_possible))
    found.results.push_back(measure(plan, "unstable", groups, true, [](const auto& run) {
      return run.outcome == RunOutcome::kUnstable ? 1.0 : 0.0;
    }));
  if (found.withheld) return found;
  for (const std::string& name : select_results(record.names, plan.results)) {
    const auto at = static_cast<std::size_t>(
        std::find(record.names.begin(), record.names.end(), name) - record.names.begin());
    found.results.push_back(measure(plan, name, groups, false,
                                    [at](const StoredRun& run) { return run.values[at]; }));
  }
  return found;
}

std::string sensitivity_csv(const StudyPlan& plan, const CampaignSensitivity& sensitivity) {
  const bool indices = sensitivity.kind == Kind::kSobolIndices;
  std::string csv =
      indices ? "result,parameter,rows,first_order,first_order_low,first_order_high,total,"
                "total_low,total_high\n"
              : "result,parameter,trajectories,mu,mu_star,sigma\n";
  for (const ResultSensitivity& result : sensitivity.results)
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
      csv += csv_text(result.result) + "," + csv_text(plan.parameters[i].name) + "," +
             std::to_string(result.groups);
      if (indices) {
        for (const sensitivity::IntervalEstimate& each :
             {result.indices.first[i], result.indices.total[i]})
          for (const double value : {each.value, each.low, each.high})
            append_cell(csv, value);
      } else {
        const sensitivity::ElementaryEffects& effects = result.effects[i];
        for (const double value : {effects.mean, effects.mean_absolute, effects.deviation})
          append_cell(csv, value);
      }
      csv += '\n';
    }
  return csv;
}

std::string sensitivity_json(const StudyPlan& plan,
                             const CampaignSensitivity& sensitivity) {
  const bool indices = sensitivity.kind == Kind::kSobolIndices;
  const std::string noun = group_noun(sensitivity);
  SensitivityJson json;
  json["kind"] = indices ? "sobol-indices" : "morris";
  json[noun] = sensitivity.groups;
  json["with_unstable_runs"] = sensitivity.unstable;
  json["with_impossible_runs"] = sensitivity.impossible;
  json["withheld"] = sensitivity.withheld;
  json["results"] = SensitivityJson::object();
  for (const ResultSensitivity& result : sensitivity.results) {
    SensitivityJson& one = json["results"][result.result];
    one[noun] = result.groups;
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
      SensitivityJson& parameter = one["parameters"][plan.parameters[i].name];
      if (indices)
        parameter = {{"first_order", interval_json(result.indices.first[i])},
                     {"total", interval_json(result.indices.total[i])}};
      else
        parameter = {{"mu", result.effects[i].mean},
                     {"mu_star", result.effects[i].mean_absolute},
                     {"sigma", result.effects[i].deviation}};
    }
  }
  return json.dump();
}

std::string sensitivity_caveat(const CampaignSensitivity& sensitivity) {
  const std::int64_t out = sensitivity.unstable + sensitivity.impossible;
  if (out == 0) return {};
  const std::string noun = group_noun(sensitivity);
  std::string text = std::to_string(out) + " of " + std::to_string(sensitivity.groups) +
                     " " + noun + " have an unstable or impossible run and are ";
  if (sensitivity.withheld)
    return text +
           "too many to be taken out: what is left is of another population. The "
           "sensitivities are withheld; --force gives them";
  return text + "taken out";
}

std::vector<std::size_t> by_sensitivity(const ResultSensitivity& result) {
  std::vector<std::size_t> order(
      std::max(result.effects.size(), result.indices.total.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return main_measure(result, a) > main_measure(result, b);
  });
  return order;
}

std::string sensitivity_text(const StudyPlan& plan,
                             const CampaignSensitivity& sensitivity) {
  const bool indices = sensitivity.kind == Kind::kSobolIndices;
  std::string text = "sensitivity ";
  text += indices ? "first-order and total indices [95 %], "
                  : "elementary effects mu, mu*, sigma, ";
  text += std::to_string(sensitivity.groups) + " " + group_noun(sensitivity) + "\n";
  if (const std::string caveat = sensitivity_caveat(sensitivity); !caveat.empty())
    text += "notice     " + caveat + "\n";
  std::size_t width = 8;
  for (const Parameter& parameter : plan.parameters)
    width = std::max(width, parameter.name.size());
  std::size_t results = 0;
  std::size_t more = 0;
  for (const ResultSensitivity& result : sensitivity.results) {
    if (is_constant(result)) continue;
    if (results == kResultsInText) {
      ++more;
      continue;
    }
    ++results;
    text += result.result + "\n";
    std::size_t shown = 0;
    for (const std::size_t i : by_sensitivity(result)) {
      if (shown++ == kParametersInText) break;
      const std::string& name = plan.parameters[i].name;
      text += "  " + name + std::string(width - name.size(), ' ') + " " +
              measures_text(result, i) + "\n";
    }
  }
  if (more > 0) text += std::to_string(more) + " more results are in sensitivity.csv\n";
  return text;
}

}  // namespace trestle::campaign
