#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/site_setup.h"
#include "composition/processes/stop_signals.h"
#include "core/base/lasting_file.h"
#include "core/base/setting_error.h"
#include "studies/characterisation/frequency_sampling_filter.h"
#include "studies/characterisation/step_response_measurement.h"
#include "studies/characterisation/transfer_parameters.h"

namespace trestle::cli {
namespace {

struct IdentifyTransferOptions {
  std::string site;                    ///< SITE.yaml
  std::vector<std::string> overrides;  ///< path=value
  std::string out = "transfer.yaml";   ///< what goes into a model's `transfer`
  double mass = 0.0;                   ///< of each transfer system [kg]
  double load = 1.0;                   ///< part of the specimen's force that it feels
  double amplitude = 1e-3;             ///< of the steps [m]
  double rise = 0.02;                  ///< [s]
  double tick = 1e-3;                  ///< control tick [s]
  std::string step;                    ///< FILE.csv of the step responses; may be empty
  double settling = 0.3;               ///< of the step responses [s]
  int frequencies = 0;                 ///< of the step responses; 0: as PRESS chooses
  int noise_order = 0;
  bool json = false;
};

using Json = nlohmann::ordered_json;

constexpr double kSure = 3.0;        // standard deviations
constexpr double kPlausible = 0.02;  // misfit over displacement that asks no question

std::string printed(const char* format, double value) {
  char text[60];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// As the list `transfer` of a bond graph's file.
std::string transfer_yaml(const std::vector<characterisation::TransferParameters>& found,
                          const IdentifyTransferOptions& options) {
  std::string text = "# Transfer systems of " + options.site +
                     ", one per actuator: put them under `transfer:` of the bond graph.\n";
  for (std::size_t i = 0; i < found.size(); ++i)
    text += "actuator" + std::to_string(i + 1) +
            ": {m: " + printed("%.6g kg", options.mass) +
            ", c: " + printed("%.6g N.s/m", found[i].damping) +
            ", k: " + printed("%.6g N/m", found[i].stiffness) +
            ", load: " + printed("%.3g", options.load) + "}\n";
  return text;
}

void print_transfer(std::size_t actuator, const characterisation::TransferParameters& found,
                    double noise) {
  std::printf(
      "actuator %zu  k = %.6g ± %.2g N/m, c = %.6g ± %.2g N.s/m  (%.4g Hz, %.3g of "
      "critical)\n",
      actuator + 1, found.stiffness, kSure * found.stiffness_deviation, found.damping,
      kSure * found.damping_deviation, found.frequency, found.ratio);
  std::printf("            leaves %.3g um, %.2g %% of the motion; noise %.3g um%s\n",
              1e6 * found.misfit, 1e2 * found.relative, 1e6 * noise,
              found.relative > kPlausible
                  ? ": no mass on spring and damper; look at --load, at delay and friction"
                  : "");
}

Json transfer_json(const characterisation::TransferParameters& found, double noise) {
  return {{"stiffness_N_m", found.stiffness},
          {"stiffness_deviation_N_m", found.stiffness_deviation},
          {"damping_N_s_m", found.damping},
          {"damping_deviation_N_s_m", found.damping_deviation},
          {"frequency_hz", found.frequency},
          {"damping_ratio", found.ratio},
          {"misfit_m", found.misfit},
          {"misfit_relative", found.relative},
          {"noise_m", noise},
          {"found", found.found}};
}

/// Where the step response is highest, over where it settles.
struct Overshoot {
  double value = 0.0;
  double deviation = 0.0;
};

Overshoot overshoot_of(const characterisation::FrequencySamplingModel& found) {
  const auto highest = std::max_element(found.step.begin(), found.step.end());
  const double gain = found.response.front().real();
  return {
      *highest / gain - 1.0,
      found.step_deviation[static_cast<std::size_t>(highest - found.step.begin())] / gain};
}

void print_step(const characterisation::FrequencySamplingModel& found) {
  const Overshoot over = overshoot_of(found);
  std::printf(
      "            step response: gain %.4g ± %.2g, overshoot %.3g ± %.2g %%; %zu "
      "frequencies, %.3g Hz apart, leave %.3g um\n",
      found.response.front().real(), kSure * found.deviation.front().real(),
      1e2 * over.value, 1e2 * kSure * over.deviation, found.response.size() - 1,
      found.spacing, 1e6 * found.innovation);
}

Json step_json(const characterisation::FrequencySamplingModel& found) {
  const Overshoot over = overshoot_of(found);
  Json json{{"gain", found.response.front().real()},
            {"gain_deviation", found.deviation.front().real()},
            {"overshoot", over.value},
            {"overshoot_deviation", over.deviation},
            {"noise_model", found.noise},
            {"innovation_m", found.innovation},
            {"press_m", found.press}};
  json["response"] = Json::array();
  for (std::size_t l = 0; l < found.response.size(); ++l)
    json["response"].push_back(
        {{"frequency_hz", static_cast<double>(l) * found.spacing},
         {"value", {found.response[l].real(), found.response[l].imag()}},
         {"deviation", {found.deviation[l].real(), found.deviation[l].imag()}}});
  return json;
}

/// A column of time, then for each actuator the step response and its deviation.
std::string step_csv(const std::vector<characterisation::FrequencySamplingModel>& found,
                     double tick) {
  std::string text = "time_s";
  for (std::size_t i = 1; i <= found.size(); ++i)
    text += ",actuator" + std::to_string(i) + "_step,actuator" + std::to_string(i) +
            "_deviation";
  text += "\n";
  for (std::size_t m = 0; m < found.front().step.size(); ++m) {
    text += printed("%.9g", static_cast<double>(m + 1) * tick);
    for (const characterisation::FrequencySamplingModel& of : found)
      text += printed(",%.9g", of.step[m]) + printed(",%.4g", of.step_deviation[m]);
    text += "\n";
  }
  return text;
}

/// The option that a setting comes from.
std::string option_of(const std::string& setting) {
  return setting == "noise_order" ? "--noise-order" : "--" + setting;
}

int identify_transfer_systems(const IdentifyTransferOptions& options) {
  const std::unique_ptr<composition::SiteSetup> site =
      composition::load_rig(options.site, options.overrides, software_version());
  SiteAdapter& rig = *site->rig;
  if (rig.description().real_equipment) {
    std::fprintf(stderr,
                 "bondgraph identify: %s has real equipment, which this verb does not arm, "
                 "check or hold; measure it with `trestle characterise`, and identify its "
                 "simulated twin here\n",
                 site->file.site().c_str());
    return kExitConfiguration;
  }
  RigLimits limits = site->settings->limits;
  if (limits.empty()) limits.resize(rig.description().actuators.size());
  const composition::StopSignals signals([](void*) {}, nullptr);
  rig.prepare({.tick = options.tick, .seed = 0});
  characterisation::StepResponseMeasurement steps(
      {.amplitude = options.amplitude, .rise = options.rise, .tick = options.tick}, limits,
      rig, [] { return composition::StopSignals::asked(); });
  if (!steps.run()) {
    std::fprintf(stderr, "%s\n", steps.reason().c_str());
    return kExitStopped;
  }
  std::vector<characterisation::TransferParameters> found;
  std::vector<characterisation::FrequencySamplingModel> responses;
  Json json = Json::array();
  for (std::size_t i = 0; i < steps.records().size(); ++i) {
    found.push_back(characterisation::fit_transfer_parameters(steps.records()[i],
                                                              {.mass = options.mass,
                                                               .load = options.load,
                                                               .tick = options.tick,
                                                               .noise = steps.noise()[i]}));
    json.push_back(transfer_json(found.back(), steps.noise()[i]));
    if (!options.json) print_transfer(i, found.back(), steps.noise()[i]);
    if (options.step.empty()) continue;
    try {
      responses.push_back(characterisation::fit_frequency_samples(
          steps.records()[i], {.tick = options.tick,
                               .settling = options.settling,
                               .frequencies = options.frequencies,
                               .noise_order = options.noise_order}));
    } catch (const SettingError& error) {
      const SettingIssue& problem = error.problems().front();
      std::fprintf(stderr, "bondgraph identify: %s: %s\n", option_of(problem.path).c_str(),
                   problem.what.c_str());
      return kExitConfiguration;
    }
    json.back()["step_response"] = step_json(responses.back());
    if (!options.json) print_step(responses.back());
  }
  keep_file(options.out, transfer_yaml(found, options));
  if (!options.step.empty()) keep_file(options.step, step_csv(responses, options.tick));
  if (options.json)
    std::printf("%s\n", json.dump(2).c_str());
  else
    std::printf("written to %s%s\n", options.out.c_str(),
                options.step.empty() ? "" : (" and " + options.step).c_str());
  return kExitComplete;
}

}  // namespace

void add_bond_graph_identify_command(CLI::App& bond_graph, CommandList& commands) {
  const auto options = std::make_shared<IdentifyTransferOptions>();
  CLI::App* const verb = bond_graph.add_subcommand(
      "identify", "measure stiffness and damping of a laboratory's transfer systems");
  verb->add_option("site", options->site, "SITE.yaml")->required();
  verb->add_option("--mass", options->mass, "in kg: what moves of each transfer system")
      ->required()
      ->check(CLI::PositiveNumber);
  verb->add_option("--load", options->load,
                   "part of the specimen's force that it feels; default 1");
  verb->add_option("--amplitude", options->amplitude, "of the steps, in m; default 0.001")
      ->check(CLI::PositiveNumber);
  verb->add_option("--rise", options->rise, "of the steps, in s; default 0.02")
      ->check(CLI::PositiveNumber);
  verb->add_option("--tick", options->tick, "control tick, in s; default 0.001")
      ->check(CLI::PositiveNumber);
  verb->add_option("--out", options->out, "FILE of the result; default transfer.yaml");
  verb->add_option("--step", options->step,
                   "FILE.csv: also the step responses, by frequency samples, without a "
                   "model's form");
  verb->add_option("--settling", options->settling,
                   "in s: after which a step response no longer moves; default 0.3")
      ->check(CLI::PositiveNumber);
  verb->add_option("--frequencies", options->frequencies,
                   "of the step responses; default as PRESS chooses")
      ->check(CLI::PositiveNumber);
  verb->add_option("--noise-order", options->noise_order,
                   "of the step responses' noise model; default 0, white")
      ->check(CLI::NonNegativeNumber);
  add_override_option(*verb, options->overrides);
  verb->add_flag("--json", options->json, "print all that was found as JSON");
  commands.add(verb, [options] { return identify_transfer_systems(*options); });
}

}  // namespace trestle::cli
