#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "cli/exit_code.h"
#include "cli/progress_line.h"
#include "cli/rig_guard.h"
#include "cli/rig_operations.h"
#include "cli/rig_verbs.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/base/journal_names.h"
#include "core/base/setting_error.h"
#include "core/host/person.h"
#include "core/journal/journal_recorder.h"
#include "core/session/audit_actions.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "gateway/operator/operator_server.h"
#include "site-servers/node/agreed_limits.h"
#include "studies/characterisation/characterisation.h"
#include "studies/characterisation/characterise_factory.h"
#include "studies/characterisation/characterise_page.h"
#include "studies/characterisation/characterise_summary.h"
#include "studies/characterisation/transfer_system_text.h"

namespace trestle {
namespace {

using Json = nlohmann::ordered_json;

// Between two looks at what the operator says.
constexpr std::chrono::milliseconds kBetweenWords{10};

struct RigSetup {
  config::SiteFile file;
  SourceMap where;
  std::unique_ptr<SiteSettings> site;
  std::unique_ptr<SiteAdapter> rig;
  CharacteriseSettings settings;
  RigLimits limits;
};

/// Of a test the integrator asks for it.
void require_what_stops_it(const config::SiteFile& file, const RigDescription& rig) {
  if (!rig.real_equipment || rig.hardware_watchdog ||
      file.arming().without_hardware_watchdog())
    return;
  throw SettingError("hardware_watchdog",
                     "site " + file.site() +
                         " is real equipment that nothing stops when this program dies (no "
                         "hardware watchdog); wire one and say so (hardware_watchdog: "
                         "true), or set arming.without_hardware_watchdog");
}

std::unique_ptr<RigSetup> set_up(const CharacteriseOptions& options) {
  auto setup = std::make_unique<RigSetup>();
  read_yaml(options.site, options.overrides, setup->file, setup->where);
  ConfigErrorCollector problems(setup->where);
  problems.attempt([&] { setup->rig = make_rig(setup->file); });
  problems.attempt([&] {
    setup->site =
        std::make_unique<SiteSettings>(site_settings(setup->file, software_version()));
  });
  problems.throw_if_any();
  const RigDescription rig = setup->rig->description();
  problems.attempt(
      [&] { setup->settings = characterise_settings(setup->file, setup->where, rig); });
  problems.throw_if_any();
  problems.attempt([&] {
    require_limits(setup->site->limits, *setup->site, rig, "");
    require_what_stops_it(setup->file, rig);
  });
  problems.throw_if_any();
  setup->limits = setup->site->limits;
  if (setup->limits.empty()) setup->limits.resize(rig.actuators.size());
  return setup;
}

/// What stands around a measurement of real equipment.
class EquipmentMeasurement {
 public:
  EquipmentMeasurement(RigSetup& setup, std::string folder)
      : setup_(setup),
        folder_(std::move(folder)),
        operators_({.folder = folder_}),
        recorder_({.folder = folder_,
                   .name = setup.file.site(),
                   .node = setup.file.site(),
                   .ring_rows = 16,
                   .max_pages = 0,
                   .facts = {},
                   .max_unsynced_age_s = 0.0,
                   .on_durable = {}}),
        operations_(setup.file.site(), setup.settings.tick, recorder_),
        terminal_(STDERR_FILENO),
        progress_(0, setup.settings.tick, terminal_) {
    const std::string fault =
        guard_.add(*setup.rig, identity_of(setup.file), folder_, folder_);
    if (!fault.empty())
      throw std::runtime_error("the rig is in FAULT: " + fault +
                               ". Correct the cause, then: trestle clear " +
                               setup.file.site());
    recorder_.open(new_session(),
                   {{meta_key::kTest, "characterise"},
                    {meta_key::kSoftware, software_version()},
                    {meta_key::kTimeStep, std::to_string(setup.settings.tick)}},
                   {});
    if (const auto& answered_for = setup.site->without_limits) {
      recorder_.audit(
          audit_override(answered_for->by, "site file", "arming.without_limits",
                         missing_limits(setup.limits, setup.settings.actuators) + "; " +
                             answered_for->reason));
      std::fprintf(
          stderr, "real equipment moves without all of its limits; %s answers for it: %s\n",
          answered_for->by.c_str(), answered_for->reason.c_str());
    }
    if (!setup.rig->description().hardware_watchdog)
      recorder_.audit(audit_override(
          this_person({}).text, "site file", "arming.without_hardware_watchdog",
          "nothing stops the rig of " + setup.file.site() + " when this program dies"));
  }

  CharacteriseReport run() {
    const StopSignals signals([](void*) {}, nullptr);
    guard_.start();
    EquipmentCare care;
    care.start_checks = setup_.site->start_checks;
    care.driver.thread = control_thread_of(setup_.file.control_thread());
    care.driver.overrun = setup_.site->overrun;
    care.driver.most_overruns = setup_.site->most_overruns;
    care.driver.attend = [this](std::int64_t ticks) {
      return attend(ticks);
    };
    care.driver.stuck = [](const std::string& why) {
      // Its thread cannot be waited for, nor what it works on be taken away.
      std::fprintf(stderr, "\n%s\n", why.c_str());
      std::_Exit(kExitStopped);
    };
    care.armed = [this] {
      return wait_for_the_word();
    };
    care.tell = [this](const std::string& what, std::int64_t planned) {
      operations_.begin(what, planned);
      progress_.plan(operations_.planned());
    };
    std::fputs(
        planned_motions(setup_.settings, setup_.limits, setup_.rig->description()).c_str(),
        stderr);
    CharacteriseReport report = characterise(
        setup_.settings, setup_.limits, *setup_.site->loading_frame, *setup_.rig, care);
    guard_.stop();
    progress_.end();
    recorder_.event(0, "state",
                    report.reason.empty() ? "CONFIGURED" : "CONFIGURED: " + report.reason);
    recorder_.close();
    return report;
  }

 private:
  std::string attend(std::int64_t ticks) {
    operations_.done(ticks);
    operators_.poll(operations_);
    if (StopSignals::asked() && operations_.asked().empty())
      return "the person at the site asked for a stop";
    if (progress_.due())
      progress_.show(operations_.ticks_done(), "", "   " + operations_.doing());
    return operations_.asked();
  }

  std::string wait_for_the_word() {
    const std::string word = "the operator's word to arm real equipment: trestle arm ";
    progress_.show_wait(0, word + folder_);
    while (operations_.armed_by().empty()) {
      operators_.poll(operations_);
      if (StopSignals::asked()) return "the person at the site asked for a stop; not armed";
      if (!operations_.asked().empty()) return operations_.asked() + "; not armed";
      if (progress_.due()) progress_.show_wait(0, word + folder_);
      std::this_thread::sleep_for(kBetweenWords);
    }
    return {};
  }

  RigSetup& setup_;
  std::string folder_;
  RigGuard guard_;
  OperatorServer operators_;
  JournalRecorder recorder_;
  RigOperations operations_;
  LineWriter terminal_;
  ProgressLine progress_;
};

CharacteriseReport measure_equipment(RigSetup& setup, const CharacteriseOptions& options) {
  const std::string folder =
      options.folder.empty()
          ? new_run_folder("characterise-" + to_folder_name(setup.file.site()))
          : options.folder;
  make_run_folder(folder);
  CharacteriseReport report;
  ConfigErrorCollector problems(setup.where);
  problems.attempt([&] { report = EquipmentMeasurement(setup, folder).run(); });
  problems.throw_if_any();
  return report;
}

/// Mistakes are told where they stand in the site's file.
CharacteriseReport measure(RigSetup& setup, const CharacteriseOptions& options) {
  if (setup.rig->description().real_equipment) return measure_equipment(setup, options);
  const StopSignals signals([](void*) {}, nullptr);
  CharacteriseReport report;
  ConfigErrorCollector problems(setup.where);
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

Json as_json(const IdentifiedTransfer& found) {
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
  json["expected_delay_s"] = found.low_frequency_delay;
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
  json["complete"] = report.end == CharacterisationOutcome::kComplete;
  json["reason"] = report.reason;
  json["duration_s"] = report.duration;
  json["overruns"] = report.overruns;
  json["actuators"] = Json::array();
  if (report.end != CharacterisationOutcome::kComplete) return json;
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
  const CharacteriseReport report = measure(*setup, options);
  if (options.json) std::printf("%s\n", as_json(*setup, report).dump(2).c_str());
  if (report.overruns > 0)
    std::fprintf(stderr,
                 "%lld control ticks came too late, one of them by %.3g ms; see what "
                 "`trestle doctor` says of this host\n",
                 static_cast<long long>(report.overruns), 1e3 * seconds(report.latest));
  if (report.end != CharacterisationOutcome::kComplete) {
    std::fprintf(stderr, "%s\n", report.reason.c_str());
    return report.end == CharacterisationOutcome::kRefused ? kExitConfiguration
                                                           : kExitStopped;
  }
  // A rig that is on time needs none.
  bool compensates = true;
  for (const ActuatorFinding& found : report.actuators)
    compensates = compensates && found.transfer.low_frequency_delay > 0.0;
  try {
    if (!options.report.empty())
      write_file(options.report,
                 characterise_page(report, setup->settings, setup->file.site(),
                                   "trestle " + software_version()));
    write_file(
        options.out,
        transfer_system_yaml(report, setup->settings,
                             {.site = setup->file.site(),
                              .file = options.site,
                              .stamp = utc_timestamp(),
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
