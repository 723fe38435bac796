#include "studies/bond_graph_report/sensitivity_findings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>

#include "composition/numerical/bond_graph/graph_factory.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error.h"
#include "core/yaml/source_map.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/graph_model.h"
#include "numerical/bond_graph/substructuring.h"
#include "studies/bond_graph_report/matrix_json.h"

namespace trestle::bond_graph_report {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kModesOnScreen = 5;

template <typename... Values>
std::string in_digits(const char* format, Values... values) {
  char text[120];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string widened(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

void refuse_laws(const bond_graph::GraphModel& model) {
  for (const bond_graph::Element& element : model.graph.elements())
    if (element.law)
      throw SettingError(
          element.path, "`" + element.name +
                            "` has a law that is not linear, and so no sensitivity at "
                            "every motion; give it its number near the motion in question");
}

/// Those with Im λ > 0.
std::vector<std::size_t> oscillating(const SensitivityFindings& findings) {
  std::vector<std::size_t> modes;
  for (std::size_t i = 0; i < findings.poles.size(); ++i) {
    const std::complex<double> pole = findings.poles[i].pole;
    if (pole.imag() > 1e-9 * std::abs(pole)) modes.push_back(i);
  }
  return modes;
}

ordered_json put_json(std::complex<double> value) {
  return {value.real(), value.imag()};  // a NaN is written as null
}

}  // namespace

ModeChange mode_change(std::complex<double> pole, std::complex<double> rate, double value) {
  const double size = std::abs(pole);
  const double growth = (std::conj(pole) * rate).real() / size;  // d|λ|/dθ
  return {value * growth / size,
          value * (pole.real() * growth / size - rate.real()) / size};
}

SensitivityFindings sensitivity_findings(const std::string& file,
                                         const std::vector<std::string>& overrides) {
  yaml::SourceMap where;
  const bond_graph::GraphModel model = bond_graph::read_graph_model(file, overrides, where);
  SensitivityFindings findings;
  findings.model = model.name;
  try {
    refuse_laws(model);
    const auto outputs = bond_graph::requested_outputs(model);
    const auto analysis = bond_graph::analyse(model.graph, outputs);
    findings.whole = bond_graph::make_system(model.graph, analysis, outputs);
    const std::vector<std::size_t>& followers = analysis.structure.derivative;
    for (std::size_t i = 0; i < model.graph.elements().size(); ++i) {
      if (!bond_graph::has_sensitivity(model.graph.element(i))) continue;
      if (std::find(followers.begin(), followers.end(), i) != followers.end())
        findings.without.push_back(model.graph.element(i).name);
      else
        findings.parameters.push_back(
            bond_graph::parameter_sensitivity(model.graph, outputs, i));
    }
  } catch (const SettingError& error) {
    throw yaml::ConfigError(where.explain(error));
  }
  findings.poles =
      bond_graph::pole_sensitivities(findings.whole.linear->A, findings.parameters);
  return findings;
}

std::string sensitivity_text(const SensitivityFindings& findings) {
  const std::vector<std::size_t> modes = oscillating(findings);
  const std::size_t shown = std::min(modes.size(), kModesOnScreen);
  std::size_t width = 9;
  for (const auto& parameter : findings.parameters)
    width = std::max(width, parameter.component.size());
  std::string text = findings.model + ": " + std::to_string(modes.size()) +
                     " oscillating modes of the whole structure\n" +
                     "for one per cent more of a number: frequency in %, damping ratio in "
                     "hundredths of a per cent\n" +
                     widened("component", width) + "      number";
  for (std::size_t i = 0; i < shown; ++i) {
    const std::complex<double> pole = findings.poles[modes[i]].pole;
    text +=
        widened(in_digits("   %.4g Hz %.3g %%", std::abs(pole) / (2.0 * std::numbers::pi),
                          -1e2 * pole.real() / std::abs(pole)),
                22);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  text += "\n";
  for (std::size_t j = 0; j < findings.parameters.size(); ++j) {
    const bond_graph::ParameterSensitivity& parameter = findings.parameters[j];
    text += widened(parameter.component, width) + in_digits("  %10.5g", parameter.value);
    for (std::size_t i = 0; i < shown; ++i) {
      const bond_graph::PoleSensitivity& pole = findings.poles[modes[i]];
      const ModeChange change = mode_change(pole.pole, pole.rates[j], parameter.value);
      text +=
          widened(in_digits("   %+.4f %+.4f", change.frequency, 1e2 * change.damping), 22);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  if (shown < modes.size())
    text += std::to_string(modes.size() - shown) + " more modes with --json\n";
  for (const std::string& name : findings.without)
    text += "`" + name +
            "` moves rigidly with others and has no separate sensitivity; add its mass to "
            "theirs\n";
  return text;
}

std::string sensitivity_json(const SensitivityFindings& findings) {
  ordered_json json{{"bond_graph", findings.model},
                    {"states", findings.whole.states},
                    {"inputs", findings.whole.inputs},
                    {"outputs", findings.whole.outputs},
                    {"without_sensitivity", findings.without}};
  json["poles_per_s"] = ordered_json::array();
  for (const bond_graph::PoleSensitivity& pole : findings.poles)
    json["poles_per_s"].push_back(put_json(pole.pole));
  json["parameters"] = ordered_json::array();
  for (std::size_t j = 0; j < findings.parameters.size(); ++j) {
    const bond_graph::ParameterSensitivity& parameter = findings.parameters[j];
    ordered_json one{{"component", parameter.component}, {"value", parameter.value}};
    one["poles"] = ordered_json::array();
    for (const bond_graph::PoleSensitivity& pole : findings.poles) {
      const ModeChange change = mode_change(pole.pole, pole.rates[j], parameter.value);
      one["poles"].push_back({{"rate_per_s", put_json(pole.rates[j])},
                              {"frequency", change.frequency},
                              {"damping", change.damping}});
    }
    one["A"] = matrix_json(parameter.A);
    one["B"] = matrix_json(parameter.B);
    one["C"] = matrix_json(parameter.C);
    one["D"] = matrix_json(parameter.D);
    json["parameters"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace trestle::bond_graph_report
