#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/check_files.h"
#include "cli/exit_code.h"
#include "cli/questions.h"
#include "cli/run_folder.h"
#include "cli/verbs.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/specimen_mass_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "studies/pretest/demand_factory.h"
#include "studies/pretest/stability_factory.h"
#include "studies/pretest/stability_words.h"
#include "studies/pretest/test_finding.h"
#include "studies/pretest/test_outlook.h"
#include "studies/pretest/yield_damping_notes.h"

namespace trestle {
namespace {

// Above this many equations a whole run is no longer a quick look.
constexpr int kMostEquationsForDemand = 3000;
// Before a run: a person at the keyboard waits for less.
constexpr int kMostEquationsAsked = 300;
constexpr double kMostWorkAsked = 1e6;  // equations times steps

std::string formatted(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string list(const std::vector<double>& values, const char* format) {
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : ", ") + formatted(format, value);
  return text;
}

std::string scaled(double value, double factor, const char* unit) {
  return formatted("%.3g ", value * factor) + unit;
}

std::string triple(const ActuatorLimits& limits, DofKind kind) {
  const bool rotation = kind == DofKind::kRotation;
  const auto one = [](double value, double factor, const char* unit) {
    return std::isinf(value) ? std::string("none") : "±" + scaled(value, factor, unit);
  };
  return one(limits.displacement, 1e3, rotation ? "mrad" : "mm") + ", " +
         one(limits.rate, 1e3, rotation ? "mrad/s" : "mm/s") + ", " +
         one(limits.force, 1e-3, rotation ? "kN.m" : "kN");
}

bool inside(const ActuatorLimits& demand, const ActuatorLimits& limits) {
  return demand.displacement <= limits.displacement && demand.rate <= limits.rate &&
         demand.force <= limits.force;
}

void print_bridge(const BridgeReport& bridge) {
  std::map<std::string, int> alike;  // in the words of the line
  for (const BridgeReport::Span& span : bridge.spans)
    ++alike[formatted("of %.4g m; deflection at midspan under ", span.length) +
            formatted("%.4g kN ", 1e-3 * bridge.weight) +
            formatted("%.4g mm", 1e3 * span.deflection)];
  for (const auto& [words, count] : alike)
    std::printf("spans      %d %s\n", count, words.c_str());
  std::vector<double> percent = bridge.ratios;
  for (double& ratio : percent) ratio *= 100.0;
  std::printf("modes      %d by %s, %s Hz ... %.4g Hz; damping %s %%\n", bridge.modes,
              bridge.form.c_str(), list(bridge.frequencies, "%.5g").c_str(), bridge.highest,
              list(percent, "%.2g").c_str());
  std::printf(
      "vehicles   %d wheel%s over %.4g m, %.5g kN in all; on the bridge for %.4g s\n",
      bridge.wheels, bridge.wheels == 1 ? "" : "s", bridge.length,
      1e-3 * bridge.total_weight, bridge.on_bridge);
  if (bridge.roughness > 0.0)
    std::printf("track      irregularity up to %.3g mm\n", 1e3 * bridge.roughness);
  if (!std::isnan(bridge.loop_gain))
    std::printf("loop       with wheels at midspan at most %.3g times (%.4g Hz): %s\n",
                bridge.loop_gain, bridge.loop_frequency,
                bridge.loop_gain < 1.0
                    ? "stable however late a table is that does not amplify"
                    : "late tables may make it unstable");
}

void print_model(const HybridTestSetup& setup) {
  const NumericalReport& model = setup.report.model;
  const double dt = setup.integrator.time_step;
  std::printf("%s    %s, time step %s ms, %lld steps (%.4g s)\n", setup.test.test().c_str(),
              name(setup.integrator.mode), formatted("%.4g", dt * 1e3).c_str(),
              static_cast<long long>(model.steps), model.duration);
  if (setup.report.bridge != nullptr) return print_bridge(*setup.report.bridge);
  std::vector<double> percent = model.ratios;
  for (double& ratio : percent) ratio *= 100.0;
  std::printf(
      "model      %d %s%s%s\n", model.equations, model.counted.c_str(),
      model.periods.empty()
          ? ""
          : (", periods with the specimens " + list(model.periods, "%.3g") + " s").c_str(),
      percent.empty() ? "" : ("; damping " + list(percent, "%.1f") + " %").c_str());
  if (model.gravity.acts) {
    std::string text;
    const auto tell = [&text](const char* what, double moved, const std::string& dof) {
      if (moved > 0.0)
        text += (text.empty() ? "" : ", ") + std::string(what) +
                formatted(" up to %.4g mm", 1e3 * moved) + " at " + dof;
    };
    tell("settlement", model.gravity.settlement, model.gravity.settlement_dof);
    tell("drift", model.gravity.drift, model.gravity.drift_dof);
    std::printf("gravity    %s; specimens stand preloaded\n",
                text.empty() ? "carried without displacement" : text.c_str());
  }
  if (std::isnan(model.stable_time_step))
    std::printf(
        "integrator %s, forces of the last step: no limit of the time step is known; the "
        "damping must bear them (we use %.4g ms)\n",
        model.integrator.c_str(), dt * 1e3);
  else if (std::isinf(model.stable_time_step))
    std::printf("integrator %s, stable at any time step (we use %.4g ms)\n",
                model.integrator.c_str(), dt * 1e3);
  else
    std::printf("integrator %s, stable up to %.4g ms (we use %.4g ms)\n",
                model.integrator.c_str(), model.stable_time_step * 1e3, dt * 1e3);
}

void print_sites(const HybridTestSetup& setup, const std::vector<SiteDemand>& demands) {
  for (const SiteSpecification& site : setup.integrator.sites) {
    std::string dofs;
    for (const InterfaceDof& dof : site.layout)
      dofs += (dofs.empty() ? "" : ", ") + dof.name +
              (dof.role == DofRole::kForceOnly ? " (force only)" : "");
    std::printf("interface  %s: %s  (%s)\n", site.name.c_str(), dofs.c_str(),
                site.where.c_str());
  }
  for (int i = 0; i < setup.test.sites_size(); ++i)
    std::printf("reached    %s: %s\n", setup.test.sites(i).name().c_str(),
                describe_connection(setup.test, i).c_str());
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const SiteDemand& demand = demands[i];
    if (!demand.known) {
      std::printf("asked for  %s: not known; its specimen is not in this file\n",
                  demand.site.c_str());
      continue;
    }
    const RigLimits& limits = setup.integrator.sites[i].limits;
    for (std::size_t k = 0; k < demand.actuators.size(); ++k) {
      const ActuatorLimits limit = k < limits.size() ? limits[k] : ActuatorLimits{};
      std::printf("asked for  %s %zu up to %s (linear estimate)   limits %s   %s\n",
                  demand.site.c_str(), k + 1,
                  triple(demand.actuators[k], demand.kinds[k]).c_str(),
                  triple(limit, demand.kinds[k]).c_str(),
                  inside(demand.actuators[k], limit) ? "ok" : "ABOVE ITS LIMIT");
    }
  }
}

void print_stability(const StabilityReport& report) {
  for (const std::string& line : in_words(report))
    std::printf("stability  %s\n", line.c_str());
}

std::string duration_words(double time) {
  if (time < 120.0) return formatted("%.3g s", time);
  if (time < 7200.0) return formatted("%.3g min", time / 60.0);
  return time < 2.0 * 86400.0 ? formatted("%.3g h", time / 3600.0)
                              : formatted("%.3g days", time / 86400.0);
}

void print_outlook(const TestOutlook& outlook) {
  if (!outlook.record.empty())
    std::printf("excitation %s, peak ground acceleration %.4g m/s2 (%.3g g)\n",
                outlook.record.c_str(), outlook.peak_ground_acceleration,
                outlook.peak_ground_acceleration / 9.80665);
  if (outlook.wall)
    std::printf("takes      %s%s of the wall\n",
                outlook.wall_at_least ? "at least " : "about ",
                duration_words(*outlook.wall).c_str());
  else
    std::printf("takes      as long as it computes; nothing waits for the wall\n");
}

/// Questions here; what must change goes to standard error, too.
void print_findings(const std::vector<TestFinding>& findings) {
  int stops = 0;
  for (const TestFinding& finding : findings) {
    const bool question = finding.weight == TestFinding::Weight::kQuestion;
    stops += question ? 0 : 1;
    std::printf("%s %s\n", question ? "question  " : "CHANGE    ",
                in_words(finding).c_str());
  }
  if (stops == 0)
    std::printf("verdict    may be run\n");
  else
    std::printf("verdict    NOT TO BE RUN as it is: %d finding%s to change\n", stops,
                stops == 1 ? "" : "s");
}

void complain(const std::vector<TestFinding>& findings) {
  for (const TestFinding& finding : findings)
    if (finding.weight == TestFinding::Weight::kStops)
      std::fprintf(stderr, "%s\n", in_words(finding).c_str());
}

nlohmann::ordered_json as_json(const std::vector<TestFinding>& findings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const TestFinding& finding : findings)
    json.push_back(
        {{"weight", finding.weight == TestFinding::Weight::kStops ? "stops" : "question"},
         {"kind", finding.kind},
         {"place", finding.place},
         {"what", finding.what},
         {"change", finding.change}});
  return json;
}

nlohmann::ordered_json as_json(const DelayMargin& margin) {
  return {{"delay_s", margin.delay}, {"at_least", margin.at_least}};
}

nlohmann::ordered_json as_json(const ClosedLoopStability& loop) {
  nlohmann::ordered_json json{{"stable", loop.stable},
                              {"spectral_radius", loop.spectral_radius}};
  if (!loop.stable) {
    json["frequency_hz"] = loop.frequency;
    return json;
  }
  json["margin"] = as_json(loop.margin);
  json["margins_of_actuators"] = nlohmann::ordered_json::array();
  for (const DelayMargin& margin : loop.per_actuator)
    json["margins_of_actuators"].push_back(as_json(margin));
  return json;
}

nlohmann::ordered_json as_json(const StabilityReport& report) {
  nlohmann::ordered_json json{{"known", report.known}};
  if (!report.why.empty()) json[report.known ? "note" : "why"] = report.why;
  if (!report.known) return json;
  json["stable"] = report.stable();
  json["states"] = report.states;
  json["compensators"] = report.compensators;
  json["actuators"] = nlohmann::ordered_json::array();
  for (const LateActuator& actuator : report.actuators) {
    nlohmann::ordered_json one{{"site", actuator.site}, {"actuator", actuator.number}};
    // A NaN is written as null.
    one["delay_s"] = actuator.delay;
    one["delay_left_s"] = actuator.left;
    json["actuators"].push_back(one);
  }
  json["cases"] = nlohmann::ordered_json::array();
  for (const StabilityCase& one : report.cases)
    json["cases"].push_back({{"stiffness_part", one.stiffness_part},
                             {"compensated", as_json(one.compensated)},
                             {"uncompensated", as_json(one.uncompensated)},
                             {"critical_delay", as_json(one.critical)}});
  return json;
}

nlohmann::ordered_json as_json(const BridgeReport& bridge) {
  nlohmann::ordered_json json;
  json["spans"] = nlohmann::ordered_json::array();
  for (const BridgeReport::Span& span : bridge.spans)
    json["spans"].push_back({{"length_m", span.length}, {"deflection_m", span.deflection}});
  json["form"] = bridge.form;
  json["modes"] = bridge.modes;
  json["frequencies_hz"] = bridge.frequencies;
  json["highest_frequency_hz"] = bridge.highest;
  json["heaviest_wheel_n"] = bridge.weight;
  json["total_weight_n"] = bridge.total_weight;
  json["wheels"] = bridge.wheels;
  json["train_length_m"] = bridge.length;
  json["on_bridge_s"] = bridge.on_bridge;
  json["irregularity_m"] = bridge.roughness;
  // A NaN is written as null.
  json["loop_gain"] = bridge.loop_gain;
  json["loop_frequency_hz"] = bridge.loop_frequency;
  return json;
}

nlohmann::ordered_json as_json(const HybridTestSetup& setup,
                               const std::vector<SiteDemand>& demands,
                               const StabilityReport& stability, const TestOutlook& outlook,
                               const std::vector<TestFinding>& findings) {
  const NumericalReport& model = setup.report.model;
  nlohmann::ordered_json json;
  json["test"] = setup.test.test();
  json["mode"] = name(setup.integrator.mode);
  json["time_step_s"] = setup.integrator.time_step;
  json["steps"] = model.steps;
  json["duration_s"] = model.duration;
  json["equations"] = model.equations;
  json["periods_s"] = model.periods;
  json["damping_ratios"] = model.ratios;
  json["integrator"] = model.integrator;
  json["integrator_stability"] = std::isnan(model.stable_time_step) ? "not known"
                                 : std::isinf(model.stable_time_step)
                                     ? "at any time step"
                                     : "below stable_time_step_s";
  if (!std::isfinite(model.stable_time_step))
    json["stable_time_step_s"] = nullptr;
  else
    json["stable_time_step_s"] = model.stable_time_step;
  if (model.gravity.acts)
    json["gravity"] = {{"settlement_m", model.gravity.settlement},
                       {"settlement_dof", model.gravity.settlement_dof},
                       {"drift_m", model.gravity.drift},
                       {"drift_dof", model.gravity.drift_dof}};
  if (setup.report.bridge != nullptr) json["bridge"] = as_json(*setup.report.bridge);
  json["stability"] = as_json(stability);
  json["specimens"] = specimen_mass_notes(setup.test);
  json["sites"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < setup.integrator.sites.size(); ++i) {
    nlohmann::ordered_json site;
    site["name"] = setup.integrator.sites[i].name;
    site["reached"] = describe_connection(setup.test, static_cast<int>(i));
    site["interface"] = nlohmann::ordered_json::array();
    for (const InterfaceDof& dof : setup.integrator.sites[i].layout)
      if (dof.role == DofRole::kControlled)
        site["interface"].push_back(dof.name);
      else
        site["force_only"].push_back(dof.name);
    site["asked_for"] = nlohmann::ordered_json::array();
    if (i < demands.size() && demands[i].known)
      for (const ActuatorLimits& peak : demands[i].actuators)
        site["asked_for"].push_back({{"displacement", peak.displacement},
                                     {"rate", peak.rate},
                                     {"force", peak.force}});
    json["sites"].push_back(site);
  }
  json["wall_duration_s"] = outlook.wall ? nlohmann::ordered_json(*outlook.wall) : nullptr;
  json["wall_duration_is_least"] = outlook.wall_at_least;
  if (!outlook.record.empty())
    json["ground_motion"] = {{"record", outlook.record},
                             {"peak_acceleration_m_s2", outlook.peak_ground_acceleration}};
  json["findings"] = as_json(findings);
  json["verdict"] = any_stops(findings) ? "must change" : "may be run";
  return json;
}

}  // namespace

void ask_before_run(const HybridTestSetup& setup) {
  for (const std::string& question : questions_about(setup))
    std::fprintf(stderr, "question: %s\n", question.c_str());
  const NumericalReport& model = setup.report.model;
  const double work =
      static_cast<double>(model.equations) * static_cast<double>(model.steps);
  try {
    std::vector<SiteDemand> demands;
    if (!setup.test.undivided() && model.equations <= kMostEquationsAsked &&
        work <= kMostWorkAsked)
      demands = estimate_demand(setup.test);
    for (const TestFinding& question :
         questions_before_run(setup, demands, outlook_of(setup, demands)))
      std::fprintf(stderr, "question: %s\n", in_words(question).c_str());
  } catch (const std::exception&) {
    // A question that cannot be asked stops no run.
  }
}

int check(const CheckOptions& options) {
  if (const std::optional<int> code = check_other_file(options)) return *code;
  const std::unique_ptr<HybridTestSetup> setup = load_hybrid_test(
      options.test, parse_command_line_overrides(options.overrides), software_version());
  // As run does: what is no address is a mistake in the file, and no finding.
  if (!setup->test.undivided()) check_addresses(setup->test, setup->where);
  std::vector<SiteDemand> demands;
  if (!setup->test.undivided() && setup->report.model.equations <= kMostEquationsForDemand)
    demands = estimate_demand(setup->test);
  const StabilityReport stability = assess_stability(setup->test);
  const TestOutlook outlook = outlook_of(*setup, demands);
  const std::vector<TestFinding> findings =
      findings_of(*setup, demands, stability, outlook);
  const std::vector<std::string> questions = questions_about(*setup);
  if (options.json) {
    nlohmann::ordered_json json = as_json(*setup, demands, stability, outlook, findings);
    json["questions"] = questions;
    std::printf("%s\n", json.dump(2).c_str());
  } else {
    print_model(*setup);
    print_outlook(outlook);
    print_sites(*setup, demands);
    for (const std::string& note : specimen_mass_notes(setup->test))
      std::printf("specimen   %s\n", note.c_str());
    if (!setup->test.undivided() &&
        setup->report.model.equations <= kMostEquationsForDemand)
      for (const std::string& note : yield_damping_notes(setup->test))
        std::printf("damping    %s\n", note.c_str());
    print_stability(stability);
    for (const std::string& question : questions)
      std::printf("question   %s\n", question.c_str());
    print_findings(findings);
  }
  complain(findings);
  return any_stops(findings) ? kExitStopped : kExitComplete;
}

}  // namespace trestle
