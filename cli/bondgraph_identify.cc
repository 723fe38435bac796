#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/bondgraph_verbs.h"
#include "cli/exit_code.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "core/session/fault_text.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "studies/characterisation/gated_excitation.h"
#include "studies/characterisation/motion_signal.h"
#include "studies/characterisation/transfer_parameters.h"

namespace trestle {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kRest = 1.0;        // [s]
constexpr double kHold = 0.4;        // of a step [s]
constexpr double kSmaller = 0.5;     // the second step over the first
constexpr double kSure = 3.0;        // standard deviations
constexpr double kPlausible = 0.02;  // misfit over displacement that asks no question

/// Moves a rig step by step, and keeps what its actuators did.
class StepResponses {
 public:
  StepResponses(const BondgraphIdentifyOptions& options, const RigLimits& limits,
                SiteAdapter& rig)
      : options_(options),
        exercise_(limits, options.tick, rig),
        names_(rig.description()) {}

  /// @returns false where gate or rig tripped, or a person asked for a stop
  bool run() {
    if (exercise_.open(TimePoint{})) return fail();
    const auto ticks = static_cast<std::size_t>(std::lround(kRest / options_.tick));
    if (!move({0, std::vector<double>(ticks, 0.0)})) return false;
    const ExerciseRecord rest = exercise_.record();
    for (std::size_t i = 0; i < names_.actuators.size(); ++i) {
      noise.push_back(deviation(rest.displacement[i]));
      records.emplace_back();
      for (const double part : {1.0, -kSmaller}) {
        ExcitationSegment step{static_cast<int>(i),
                               motion::smooth_step(part * options_.amplitude, options_.rise,
                                                   kHold, options_.tick)};
        step.offsets.insert(step.offsets.end(), ticks / 2, 0.0);
        if (!move(step)) return false;
        records.back().push_back(record_of(i, rest));
      }
    }
    return true;
  }

  std::vector<std::vector<TransferRecord>> records;  // of every actuator
  std::vector<double> noise;                         // of every displacement [m]
  std::string reason;

 private:
  bool fail() {
    reason = exercise_.fault()
                 ? format_fault(exercise_.fault(), {}, names_.actuators) + "; the rig holds"
                 : "stopped by the operator; the rig holds";
    return false;
  }

  bool move(const ExcitationSegment& one) {
    exercise_.begin(one);
    bool more = true;
    while (more && !StopSignals::asked()) {
      const auto at = static_cast<double>(++ticks_) * options_.tick;
      more = exercise_.tick(TimePoint{Duration{std::llround(1e9 * at)}});
    }
    if (more) exercise_.hold();
    return more || exercise_.fault() ? fail() : true;
  }

  static double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  static double deviation(const std::vector<double>& values) {
    const double middle = mean(values);
    double sum = 0.0;
    for (const double value : values) sum += (value - middle) * (value - middle);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
  }

  TransferRecord record_of(std::size_t i, const ExerciseRecord& rest) const {
    const ExerciseRecord& step = exercise_.record();
    TransferRecord record{step.drive, step.displacement[i], step.force[i]};
    const double displacement = mean(rest.displacement[i]);
    const double force = mean(rest.force[i]);
    for (double& value : record.displacement) value -= displacement;
    for (double& value : record.force) value -= force;
    return record;
  }

  const BondgraphIdentifyOptions& options_;
  GatedExcitation exercise_;
  RigDescription names_;
  std::int64_t ticks_ = 0;
};

std::string printed(const char* format, double value) {
  char text[60];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// As the list `transfer` of a bond graph's file.
std::string transfer_yaml(const std::vector<TransferParameters>& found,
                          const BondgraphIdentifyOptions& options) {
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

void print(std::size_t actuator, const TransferParameters& found, double noise) {
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

Json as_json(const TransferParameters& found, double noise) {
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

}  // namespace

int bondgraph_identify(const BondgraphIdentifyOptions& options) {
  config::SiteFile file;
  SourceMap where;
  read_yaml(options.site, options.overrides, file, where);
  ConfigErrorCollector problems(where);
  std::unique_ptr<SiteAdapter> rig;
  SiteSettings site;
  problems.attempt([&] { rig = make_rig(file); });
  problems.attempt([&] { site = site_settings(file, software_version()); });
  problems.throw_if_any();
  if (rig->description().real_equipment) {
    std::fprintf(stderr,
                 "bondgraph identify: %s has real equipment, which this verb does not arm, "
                 "check or hold; measure it with `trestle characterise`, and identify its "
                 "simulated twin here\n",
                 file.site().c_str());
    return kExitConfiguration;
  }
  RigLimits limits = site.limits;
  if (limits.empty()) limits.resize(rig->description().actuators.size());
  const StopSignals signals([](void*) {}, nullptr);
  rig->prepare({.tick = options.tick, .seed = 0});
  StepResponses steps(options, limits, *rig);
  if (!steps.run()) {
    std::fprintf(stderr, "%s\n", steps.reason.c_str());
    return kExitStopped;
  }
  std::vector<TransferParameters> found;
  Json json = Json::array();
  for (std::size_t i = 0; i < steps.records.size(); ++i) {
    found.push_back(fit_transfer_parameters(steps.records[i], {.mass = options.mass,
                                                               .load = options.load,
                                                               .tick = options.tick,
                                                               .noise = steps.noise[i]}));
    json.push_back(as_json(found.back(), steps.noise[i]));
    if (!options.json) print(i, found.back(), steps.noise[i]);
  }
  write_file(options.out, transfer_yaml(found, options));
  if (options.json)
    std::printf("%s\n", json.dump(2).c_str());
  else
    std::printf("written to %s\n", options.out.c_str());
  return kExitComplete;
}

}  // namespace trestle
