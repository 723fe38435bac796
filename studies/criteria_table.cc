#include "studies/criteria_table.h"

#include <cstdio>
#include <vector>

namespace trestle {
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

/// Whose entries the lines below are.
std::string heading(const std::string& key, const std::string& label,
                    const std::vector<std::string>& names) {
  std::string line = padded(key, 11) + padded(label, kLabelWidth);
  for (const std::string& name : names) line += right(name);
  return line + "\n";
}

std::string row(const char* key, const char* label, const std::vector<double>& values,
                const char* format, double factor, const char* unit) {
  if (values.empty()) return {};
  std::string line = padded(key, 11) + padded(label, kLabelWidth);
  for (const double value : values) {
    char number[40];
    std::snprintf(number, sizeof number, format, factor * value);
    line += right(number);
  }
  return line + (*unit == '\0' ? "" : " ") + unit + "\n";
}

std::string benchmark_row(const Criteria& criteria, std::size_t number, const char* key,
                          const char* label, const char* unit = "%") {
  return row(key, label, criteria.benchmark[number - 1], "%.3f", 1.0, unit);
}

}  // namespace

namespace {

nlohmann::ordered_json as_json(const Synchronisation& one, const std::string& dof) {
  nlohmann::ordered_json json{
      {"dof", dof},       {"rms_relative", one.rms_relative}, {"amplitude", one.amplitude},
      {"axes", one.axes}, {"angle_rad", one.angle},           {"delay_s", one.delay}};
  for (const HarmonicRatio& harmonic : one.harmonics)
    json["harmonics"].push_back({{"frequency_hz", harmonic.frequency},
                                 {"gain", harmonic.gain},
                                 {"phase_rad", harmonic.phase},
                                 {"half_width", harmonic.half_width}});
  return json;
}

std::vector<double> of_all(const std::vector<Synchronisation>& all,
                           double Synchronisation::*value) {
  std::vector<double> values;
  for (const Synchronisation& one : all) values.push_back(one.*value);
  return values;
}

}  // namespace

nlohmann::ordered_json criteria_json(const Criteria& criteria) {
  nlohmann::ordered_json json;
  json["stable"] = criteria.stable;
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

std::string criteria_table(const Criteria& criteria) {
  if (criteria.actuators.empty() && criteria.responses.empty() && criteria.stable)
    return {};
  std::string out =
      heading("criteria", criteria.stable ? "stable" : "UNSTABLE", criteria.actuators);
  out += benchmark_row(criteria, 1, "J1 J4", "delay", "ms");
  out += benchmark_row(criteria, 2, "J2", "tracking error, rms");
  out += benchmark_row(criteria, 3, "J3", "tracking error, peak");
  out += row("", "less noise, where known", criteria.rmse, "%.3f", 1e2, "%");
  out += row("", "delay, between samples", criteria.delay, "%.3f", 1e3, "ms");
  out += row("", "amplitude, by frequency", criteria.amplitude, "%.4f", 1.0, "");
  out += row("", "delay, by frequency", criteria.frequency_delay, "%.3f", 1e3, "ms");
  out += row("", "energy error", criteria.energy_error, "%.4g", 1.0, "J");
  if (!criteria.interface.empty()) out += heading("", "", criteria.interface);
  out += benchmark_row(criteria, 5, "J5", "measured - numerical, rms");
  out += benchmark_row(criteria, 6, "J6", "measured - numerical, peak");
  out += row("", "synchronisation, rms",
             of_all(criteria.synchronisation, &Synchronisation::rms_relative), "%.4f", 1e2,
             "%");
  out += row("", "synchronisation, delay",
             of_all(criteria.synchronisation, &Synchronisation::delay), "%.3f", 1e3, "ms");
  out += benchmark_row(criteria, 7, "J7", "measured - reference, rms");
  out += benchmark_row(criteria, 9, "J9", "measured - reference, peak");
  out += row("", "force - reference, rms", criteria.force_error, "%.4f", 1.0, "");
  if (!criteria.responses.empty()) out += heading("", "", criteria.responses);
  out += benchmark_row(criteria, 8, "J8", "numerical - reference, rms");
  out += benchmark_row(criteria, 10, "J10", "numerical - reference, peak");
  return out;
}

}  // namespace trestle
