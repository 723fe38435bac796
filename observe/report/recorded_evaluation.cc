#include "observe/report/recorded_evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/twin_notice.h"
#include "core/evaluation/tracking_estimator.h"
#include "core/types/record_names.h"
#include "observe/report/criteria_table.h"

namespace trestle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostHistoryValues = std::size_t{1} << 26;

/// Columns of a history under way: which signal, and by how many rows it is moved.
class HistoryColumns {
 public:
  /// @param late   row k shows the value of row k − late
  /// @param first  before the first row there is
  int add(const std::vector<double>& values, std::size_t late, double first) {
    columns_.push_back({&values, late, first});
    return static_cast<int>(columns_.size()) - 1;
  }

  evaluation::RunHistory history(std::size_t rows) const {
    evaluation::RunHistory history(columns_.size(), rows);
    std::vector<double> row(columns_.size());
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Column& column = columns_[i];
        row[i] = k < column.late ? column.first : (*column.values)[k - column.late];
      }
      history.add(row);
    }
    return history;
  }

  std::size_t size() const { return columns_.size(); }

 private:
  struct Column {
    const std::vector<double>* values;
    std::size_t late;
    double first;
  };
  std::vector<Column> columns_;
};

bool is_complete(const MotionSignals& motion) {
  return motion.target != nullptr && motion.measured != nullptr && motion.force != nullptr;
}

const std::vector<double>* motion_column(const RunData& run, const std::string& dof,
                                         const char* quantity) {
  const StreamTable& result = run.result;
  for (std::size_t i = 0; i < result.channels().size(); ++i)
    if (result.channels()[i].name.starts_with(dof + quantity)) return &result.column(i);
  return nullptr;
}

void add_model(const RunData& run, const std::string& dof, HistoryColumns& columns,
               evaluation::CriteriaColumns::InterfaceMotion& motion) {
  if (const auto* reference = motion_column(run, "reference." + dof, ".disp_"))
    motion.reference = columns.add(*reference, 0, 0.0);
  if (const auto* model = motion_column(run, dof, ".disp_"))
    motion.model = columns.add(*model, 0, 0.0);
}

/// The pairing of signals that docs/reference/criteria.md states.
evaluation::Criteria criteria_of(const RunData& run) {
  evaluation::Criteria criteria;
  // A record without a summary may be that of a complete run, too.
  if (run.steps() < run.steps_planned())
    criteria.until_step = std::max<std::int64_t>(run.steps() - 1, 0);
  HistoryColumns columns;
  evaluation::CriteriaColumns places;
  const std::vector<std::string> moved = read_twins(run.meta(meta_key::kRelativeSites));
  for (const RecordedSiteData& site : run.sites) {
    // What it measures is relative to its support or to the state under gravity; model
    // and reference are not.
    const bool relative = std::find(moved.begin(), moved.end(), site.name) != moved.end();
    const std::size_t own = run.meta("mode") == "pseudo-dynamic" ? 0 : 1;
    const auto latency = static_cast<std::size_t>(
        std::max(0.0, site.contract.number("latency_steps").value_or(0.0)));
    places.late = own + latency;
    for (const MotionSignals& actuator : site.actuators) {
      if (!is_complete(actuator)) continue;
      const int target = columns.add(*actuator.target, 0, 0.0);
      const int measured = columns.add(*actuator.measured, own, actuator.initial_measured);
      const int force = columns.add(*actuator.force, own, actuator.initial_force);
      places.actuators.push_back(
          {site.name + " " + actuator.name, target, measured, force, measured});
    }
    for (const MotionSignals& dof : site.interface) {
      if (!is_complete(dof)) continue;
      evaluation::CriteriaColumns::InterfaceMotion motion{.name = dof.name};
      motion.numerical = columns.add(*dof.target, 0, 0.0);
      motion.measured = columns.add(*dof.measured, places.late, dof.initial_measured);
      motion.force = columns.add(*dof.force, places.late, dof.initial_force);
      if (!relative) add_model(run, dof.name, columns, motion);
      places.interface.push_back(motion);
    }
  }
  if (run.is_window()) return criteria;  // they need every row
  const auto rows = static_cast<std::size_t>(run.steps());
  if (rows < 2 || columns.size() == 0 || rows > kMostHistoryValues / columns.size())
    return criteria;
  evaluation::Criteria found =
      evaluation::evaluate(columns.history(rows), places, run.time_step);
  found.until_step = criteria.until_step;
  return found;
}

Json tracking_of(const MotionSignals& actuator, double period) {
  evaluation::TrackingEstimator estimator(period);
  if (is_complete(actuator))
    for (std::size_t i = 0; i < actuator.target->size(); ++i)
      if (std::isfinite((*actuator.target)[i]) && std::isfinite((*actuator.measured)[i]))
        estimator.add((*actuator.target)[i], (*actuator.measured)[i], (*actuator.force)[i]);
  const evaluation::Tracking found = estimator.result();
  const bool moved = std::isfinite(found.uncertainty);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {{"actuator", actuator.name},
          {"delay_s", moved ? found.delay : kNone},
          {"amplitude", moved ? found.amplitude : kNone},
          {"nrmse", found.nrmse},
          {"peak_error", found.peak_error}};
}

void add_peak(Json& peaks, const Channel& channel, double value, double time) {
  const std::size_t end = channel.name.find(".disp_");
  if (end == std::string::npos) return;
  peaks[channel.name.substr(0, end)] = {
      {channel.unit == "rad" ? "disp_rad" : "disp_m", value}, {"time_s", time}};
}

Json peaks_of(const RunData& run) {
  Json peaks = Json::object();
  const records::StreamEnvelope& whole = run.outline.result;
  if (run.is_window()) {
    for (std::size_t i = 0; i < whole.channels().size(); ++i)
      if (whole.peak(i).index >= 0)
        add_peak(peaks, whole.channels()[i], whole.peak(i).value,
                 static_cast<double>(whole.peak(i).index) * run.time_step);
    return peaks;
  }
  const StreamTable& result = run.result;
  for (std::size_t i = 0; i < result.channels().size(); ++i) {
    const std::vector<double>& values = result.column(i);
    std::size_t at = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (std::abs(values[k]) > std::abs(values[at])) at = k;
    if (!values.empty()) add_peak(peaks, result.channels()[i], values[at], run.time()[at]);
  }
  return peaks;
}

}  // namespace

nlohmann::ordered_json evaluation_of(const RunData& run) {
  if (run.summary) return *run.summary;
  Json json;
  json["sites"] = Json::array();
  for (const RecordedSiteData& site : run.sites) {
    Json entry{{"name", site.name}, {"tracking", Json::array()}};
    for (const MotionSignals& actuator : site.actuators)
      entry["tracking"].push_back(tracking_of(actuator, run.time_step));
    json["sites"].push_back(std::move(entry));
  }
  json["criteria"] = criteria_json(criteria_of(run));
  json["peaks"] = peaks_of(run);
  return json;
}

std::string until_words(const nlohmann::ordered_json& evaluation) {
  const Json& criteria = evaluation.at("criteria");
  if (!criteria.contains("until_step")) return {};
  return ", until step " + std::to_string(criteria.at("until_step").get<std::int64_t>());
}

}  // namespace trestle::report
