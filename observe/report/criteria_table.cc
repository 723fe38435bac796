#include "observe/report/criteria_table.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace trestle::report {
namespace {

constexpr int kLabelWidth = 28;
constexpr int kValueWidth = 11;

std::string padded(const std::string& text, int width) {
  char line[160];
  std::snprintf(line, sizeof line, "%-*s", width, text.c_str());
  return line;
}

std::string right(const std::string& text) {
  char cell[160];
  std::snprintf(cell, sizeof cell, " %*s", kValueWidth - 1, text.c_str());
  return cell;
}

/// Formats the heading of the lines below.
std::string heading(const std::string& key, const std::string& label,
                    const std::vector<std::string>& names) {
  std::string line = padded(key, 11) + padded(label, kLabelWidth);
  for (const std::string& name : names) line += right(name);
  return line + "\n";
}

/// The lines of one run. Each number of an incomplete run says that it belongs to a part of
/// the run.
class Rows {
 public:
  explicit Rows(const evaluation::Criteria& criteria) : criteria_(criteria) {
    if (criteria.until_step)
      until_ = "  until step " + std::to_string(*criteria.until_step);
  }

  void head(const std::string& key, const std::string& label,
            const std::vector<std::string>& names) {
    text += heading(key, label, names);
  }
  void add(const char* key, const char* label, const std::vector<double>& values,
           const char* format, double factor, const char* unit) {
    if (values.empty()) return;
    text += padded(key, 11) + padded(label, kLabelWidth);
    for (const double value : values) {
      char number[40];
      std::snprintf(number, sizeof number, format, factor * value);
      text += right(std::isfinite(value) ? number : "-");
    }
    text += std::string(*unit == '\0' ? "" : " ") + unit + until_ + "\n";
  }
  void benchmark(std::size_t number, const char* key, const char* label,
                 const char* unit = "%") {
    add(key, label, criteria_.benchmark[number - 1], "%.3f", 1.0, unit);
  }

  std::string text;

 private:
  const evaluation::Criteria& criteria_;
  std::string until_;
};

nlohmann::ordered_json as_json(const evaluation::Synchronisation& one,
                               const std::string& dof) {
  nlohmann::ordered_json json{
      {"dof", dof},       {"rms_relative", one.rms_relative}, {"amplitude", one.amplitude},
      {"axes", one.axes}, {"angle_rad", one.angle},           {"delay_s", one.delay}};
  for (const evaluation::HarmonicRatio& harmonic : one.harmonics)
    json["harmonics"].push_back({{"frequency_hz", harmonic.frequency},
                                 {"gain", harmonic.gain},
                                 {"phase_rad", harmonic.phase},
                                 {"half_width", harmonic.ellipse_half_width}});
  return json;
}

/// A part of a run without a sign of instability does not prove that the rest is stable.
std::string verdict(const evaluation::Criteria& criteria) {
  if (!criteria.stable) return "UNSTABLE";
  return criteria.until_step ? "of a part of the run" : "stable";
}

std::vector<double> of_all(const std::vector<evaluation::Synchronisation>& all,
                           double evaluation::Synchronisation::*value) {
  std::vector<double> values;
  for (const evaluation::Synchronisation& one : all) values.push_back(one.*value);
  return values;
}

}  // namespace

nlohmann::ordered_json criteria_json(const evaluation::Criteria& criteria) {
  nlohmann::ordered_json json;
  json["stable"] = criteria.stable;
  if (criteria.until_step) json["until_step"] = *criteria.until_step;
  for (std::size_t i = 0; i < criteria.benchmark.size(); ++i)
    if (!criteria.benchmark[i].empty())
      json["J" + std::to_string(i + 1)] = criteria.benchmark[i];
  if (!criteria.actuators.empty()) {
    json["rmse"] = criteria.rmse;
    json["delay_s"] = criteria.delay;
    json["frequency_amplitude"] = criteria.amplitude;
    json["frequency_delay_s"] = criteria.frequency_delay;
    json["equivalent_frequency_hz"] = criteria.equivalent_frequency;
    json["nrmse"] = criteria.nrmse;
    json["peak_error"] = criteria.peak_error;
    json["energy_error_J"] = criteria.energy_error;
  }
  for (std::size_t i = 0; i < criteria.synchronisation.size(); ++i)
    json["synchronisation"].push_back(
        as_json(criteria.synchronisation[i], criteria.interface[i]));
  if (!criteria.force_error.empty()) json["force_error"] = criteria.force_error;
  json["of"] = {{"actuators", criteria.actuators},
                {"interface", criteria.interface},
                {"responses", criteria.responses}};
  return json;
}

std::string criteria_table(const evaluation::Criteria& criteria) {
  if (criteria.actuators.empty() && criteria.responses.empty() && criteria.stable)
    return {};
  Rows rows(criteria);
  rows.head("criteria", verdict(criteria), criteria.actuators);
  rows.benchmark(1, "J1 J4", "delay", "ms");
  rows.benchmark(2, "J2", "tracking error, rms");
  rows.benchmark(3, "J3", "tracking error, peak");
  rows.add("", "less noise, where known", criteria.rmse, "%.3f", 1e2, "%");
  rows.add("", "delay, between samples", criteria.delay, "%.3f", 1e3, "ms");
  rows.add("", "amplitude, by frequency", criteria.amplitude, "%.4f", 1.0, "");
  rows.add("", "delay, by frequency", criteria.frequency_delay, "%.3f", 1e3, "ms");
  rows.add("", "energy error", criteria.energy_error, "%.4g", 1.0, "J");
  if (!criteria.interface.empty()) rows.head("", "", criteria.interface);
  rows.benchmark(5, "J5", "measured - numerical, rms");
  rows.benchmark(6, "J6", "measured - numerical, peak");
  rows.add("", "synchronisation, rms",
           of_all(criteria.synchronisation, &evaluation::Synchronisation::rms_relative),
           "%.4f", 1e2, "%");
  rows.add("", "synchronisation, delay",
           of_all(criteria.synchronisation, &evaluation::Synchronisation::delay), "%.3f",
           1e3, "ms");
  rows.benchmark(7, "J7", "measured - reference, rms");
  rows.benchmark(9, "J9", "measured - reference, peak");
  rows.add("", "force - reference, rms", criteria.force_error, "%.4f", 1.0, "");
  if (!criteria.responses.empty()) rows.head("", "", criteria.responses);
  rows.benchmark(8, "J8", "numerical - reference, rms");
  rows.benchmark(10, "J10", "numerical - reference, peak");
  return rows.text;
}

}  // namespace trestle::report
