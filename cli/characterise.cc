#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/rig_verbs.h"
#include "cli/signals.h"
#include "cli/timed_rig.h"
#include "core/config/config_problems.h"
#include "core/config/yaml_reader.h"
#include "studies/characterise/characterisation.h"
#include "studies/characterise/characterise_catalog.h"
#include "studies/characterise/characterise_summary.h"
#include "studies/characterise/transfer_system_text.h"
#include "virtual-lab/lab_catalog.h"

namespace trestle {
namespace {

using Json = nlohmann::ordered_json;

struct RigSetup {
  config::SiteFile file;
  SourceMap where;
  std::unique_ptr<SiteSettings> site;
  std::unique_ptr<SiteAdapter> rig;
  CharacteriseSettings settings;
  RigLimits limits;
};

std::unique_ptr<RigSetup> set_up(const CharacteriseOptions& options) {
  auto setup = std::make_unique<RigSetup>();
  read_yaml(options.site, options.overrides, setup->file, setup->where);
  ConfigProblems problems(setup->where);
  problems.attempt([&] {
    setup->rig = make_rig(setup->file);
    if (setup->file.has_adapter() && setup->rig->description().real_equipment)
      setup->rig = std::make_unique<TimedRig>(std::move(setup->rig));
  });
  problems.attempt([&] {
    setup->site =
        std::make_unique<SiteSettings>(site_settings(setup->file, software_version()));
  });
  problems.throw_if_any();
  const RigDescription rig = setup->rig->description();
  problems.attempt(
      [&] { setup->settings = characterise_settings(setup->file, setup->where, rig); });
  problems.throw_if_any();
  setup->limits = setup->site->limits;
  if (setup->limits.empty()) setup->limits.resize(rig.actuators.size());
  return setup;
}

/// Mistakes are told where they stand in the site's file.
CharacteriseReport measure(RigSetup& setup) {
  const StopSignals signals([](void*) {}, nullptr);
  CharacteriseReport report;
  ConfigProblems problems(setup.where);
  problems.attempt([&] {
    report = characterise(setup.settings, setup.limits, *setup.site->loading_frame,
                          *setup.rig, [] { return StopSignals::asked(); });
  });
  problems.throw_if_any();
  return report;
}

Json complex_list(const std::vector<std::complex<double>>& values) {
  Json list = Json::array();
  for (const std::complex<double>& value : values)
    list.push_back({value.real(), value.imag()});
  return list;
}

Json as_json(const TransferEstimate& found) {
  Json json;
  json["delay_s"] = found.transfer.delay;
  json["delay_deviation_s"] = found.delay_deviation;
  json["dc_gain"] = found.transfer.gain;
  json["dc_gain_deviation"] = found.gain_deviation;
  json["order"] = found.transfer.order();
  json["poles_rad_s"] = complex_list(found.poles);
  json["zeros_rad_s"] = complex_list(found.zeros);
  json["corner_hz"] = found.corner > 0.0 ? Json(found.corner) : Json(nullptr);
  json["worst_deviation"] = found.worst_deviation;
  json["lowest_coherence"] = found.lowest_coherence;
  json["fit_error"] = found.fit_error;
  json["expected_delay_s"] = found.slow_delay;
  json["response"] = Json::array();
  for (const ResponsePoint& point : found.points)
    json["response"].push_back(
        {{"frequency_hz", point.frequency},
         {"measured", {point.measured.real(), point.measured.imag()}},
         {"fitted", {point.fitted.real(), point.fitted.imag()}},
         {"deviation", point.deviation},
         {"coherence", point.coherence}});
  return json;
}

Json as_json(const RigSetup& setup, const CharacteriseReport& report) {
  Json json;
  json["site"] = setup.file.site();
  json["complete"] = report.end == CharacteriseEnd::kComplete;
  json["reason"] = report.reason;
  json["duration_s"] = report.duration;
  json["actuators"] = Json::array();
  if (report.end != CharacteriseEnd::kComplete) return json;
  for (const ActuatorFinding& found : report.actuators) {
    Json actuator = as_json(found.transfer);
    actuator["position"] = found.position;
    actuator["force_offset"] = found.force_offset;
    actuator["displacement_noise"] = found.displacement_noise;
    actuator["force_noise"] = found.force_noise;
    actuator["polarity"] = found.slope;
    actuator["stiffness"] = found.stiffness;
    actuator["settled_gain"] = found.settled_gain;
    actuator["rise_time_s"] = found.rise_time;
    actuator["crosstalk"] = found.crosstalk;
    json["actuators"].push_back(actuator);
  }
  for (const CouplingFinding& found : report.coupling) {
    Json entry;
    entry["to"] = found.to + 1;
    entry["from"] = found.from + 1;
    entry["nothing"] = found.transfer.nothing;
    entry.update(as_json(found.transfer));
    json["coupling"].push_back(entry);
  }
  return json;
}

/// `transfer_system.yaml` -> `transfer_system_compensator.yaml`
std::string compensator_file(const std::string& out) {
  const std::filesystem::path path(out);
  return (path.parent_path() /
          (path.stem().string() + "_compensator" + path.extension().string()))
      .string();
}

}  // namespace

int characterise(const CharacteriseOptions& options) {
  const std::unique_ptr<RigSetup> setup = set_up(options);
  const CharacteriseReport report = measure(*setup);
  if (options.json) std::printf("%s\n", as_json(*setup, report).dump(2).c_str());
  if (report.end != CharacteriseEnd::kComplete) {
    std::fprintf(stderr, "%s\n", report.reason.c_str());
    return kExitStopped;
  }
  // A rig that is on time needs none.
  bool compensates = true;
  for (const ActuatorFinding& found : report.actuators)
    compensates = compensates && found.transfer.slow_delay > 0.0;
  try {
    write_file(
        options.out,
        transfer_system_yaml(report, setup->settings,
                             {.site = setup->file.site(),
                              .file = options.site,
                              .stamp = utc_stamp(),
                              .real_equipment = setup->rig->description().real_equipment}));
    if (compensates)
      write_file(compensator_file(options.out),
                 compensator_yaml(report, setup->file.site()));
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  if (!options.json)
    std::printf("site %s measured within %.4g s\n%swritten to %s%s%s\n",
                setup->file.site().c_str(), report.duration,
                characterise_summary(report, setup->settings).c_str(), options.out.c_str(),
                compensates ? " and " : "",
                compensates ? compensator_file(options.out).c_str() : "");
  return kExitComplete;
}

}  // namespace trestle
