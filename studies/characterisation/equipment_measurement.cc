#include "studies/characterisation/equipment_measurement.h"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "composition/hybrid_test/pacing_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "composition/processes/run_folder.h"
#include "composition/processes/stop_signals.h"
#include "core/host/person.h"
#include "core/session/audit_actions.h"
#include "core/types/record_names.h"
#include "core/yaml/config_error_collector.h"
#include "site-servers/node/agreed_limits.h"
#include "studies/characterisation/measurement_folder.h"
#include "studies/characterisation/measurement_refusal.h"

namespace trestle::characterisation {
namespace {

// Interval between two checks for commands of the operator.
constexpr std::chrono::milliseconds kBetweenWords{10};

CharacteriseReport measure_equipment(CharacterisationSetup& setup, std::string folder,
                                     const std::string& software,
                                     MeasurementDisplay& display) {
  const std::string& site = setup.site->file.site();
  std::optional<EquipmentMeasurement> measurement;
  try {
    if (folder.empty())
      folder =
          composition::new_run_folder("characterise-" + composition::to_folder_name(site));
    make_measurement_folder(folder, site);
    measurement.emplace(setup, folder, software, display);
  } catch (const std::runtime_error& error) {
    throw MeasurementRefusal(error.what());
  }
  return measurement->run();
}

CharacteriseReport measure_simulation(CharacterisationSetup& setup) {
  const composition::StopSignals signals([](void*) {}, nullptr,
                                         composition::StopSignals::Scope::kTest);
  CharacteriseReport report =
      characterise(setup.settings, setup.limits, *setup.site->settings->loading_frame,
                   *setup.site->rig, [] { return composition::StopSignals::asked(); });
  composition::AskedBySignal asked;
  if (report.end == CharacterisationOutcome::kAsked &&
      composition::StopSignals::take(asked))
    report.reason = composition::word_of(asked, {}).reason + "; the rig holds";
  return report;
}

}  // namespace

EquipmentMeasurement::EquipmentMeasurement(CharacterisationSetup& setup, std::string folder,
                                           const std::string& software,
                                           MeasurementDisplay& display)
    : setup_(setup),
      folder_(std::move(folder)),
      display_(display),
      rig_(*setup.site->rig),
      operators_({.folder = folder_}),
      recorder_({.folder = folder_,
                 .name = setup.site->file.site(),
                 .node = setup.site->file.site(),
                 .ring_rows = 16,
                 .max_pages = 0,
                 .facts = {},
                 .max_unsynced_age_s = 0.0,
                 .on_durable = {}}),
      operations_(setup.site->file.site(), setup.settings.tick, recorder_) {
  const config::SiteFile& file = setup.site->file;
  earlier_ = guard_.add(*setup.site->rig, composition::identity_of(file), folder_, folder_);
  if (!earlier_.fault.empty())
    throw std::runtime_error("the rig is in FAULT: " + earlier_.fault +
                             ". Correct the cause, then: trestle clear " + file.site());
  if (const std::string why = rig_.set(earlier_.diary->tare(), setup.limits); !why.empty())
    throw std::runtime_error(why);
  recorder_.open(composition::new_session(),
                 {{meta_key::kTest, "characterise"},
                  {meta_key::kSoftware, software},
                  {meta_key::kTimeStep, std::to_string(setup.settings.tick)}},
                 {});
  for (const auto& [what, offset] : site_node::tare_entries(rig_.tare()))
    recorder_.audit(session::audit_rig(file.site(), "site", what + ": " + offset));
  record_overrides();
}

/// Records which rules for real equipment the site's file lifts.
void EquipmentMeasurement::record_overrides() {
  const composition::SiteSetup& site = *setup_.site;
  if (const auto& answered_for = site.settings->without_limits) {
    recorder_.audit(session::audit_override(
        answered_for->by, "site file", "arming.without_limits",
        site_node::missing_limits(setup_.limits, setup_.settings.actuators) + "; " +
            answered_for->reason));
    display_.print("real equipment moves without all of its limits; " + answered_for->by +
                   " answers for it: " + answered_for->reason + "\n");
  }
  if (!site.rig->description().hardware_watchdog)
    recorder_.audit(session::audit_override(
        host::this_person({}).text, "site file", "arming.without_hardware_watchdog",
        "nothing stops the rig of " + site.file.site() + " when this program dies"));
}

EquipmentCare EquipmentMeasurement::care() {
  const site_node::SiteSettings& site = *setup_.site->settings;
  EquipmentCare care;
  care.start_checks = site.start_checks;
  care.driver.thread = composition::control_thread_of(setup_.site->file.control_thread());
  care.driver.overrun = site.watch.overrun;
  care.driver.most_overruns = site.watch.most_overruns;
  care.driver.attend = [this](std::int64_t ticks) {
    return attend(ticks);
  };
  care.driver.stuck = [this](const std::string& why) {
    display_.abandon(why);
  };
  care.stood = site_node::in_force(earlier_.drive);
  care.armed = [this] {
    std::string why = wait_until_armed();
    if (why.empty()) take_told_drive();
    return why;
  };
  care.tell = [this](const std::string& what, std::int64_t planned) {
    operations_.begin(what, planned);
    display_.plan(operations_.planned());
  };
  return care;
}

CharacteriseReport EquipmentMeasurement::run() {
  const composition::StopSignals signals([](void*) {}, nullptr,
                                         composition::StopSignals::Scope::kRig);
  guard_.start();
  composition::SiteSetup& site = *setup_.site;
  display_.print(planned_motions(setup_.settings, setup_.limits, site.rig->description()));
  CharacteriseReport report = characterise(setup_.settings, setup_.limits,
                                           *site.settings->loading_frame, rig_, care());
  guard_.stop();
  display_.end();
  recorder_.event(0, "state",
                  report.reason.empty() ? "CONFIGURED" : "CONFIGURED: " + report.reason);
  recorder_.close();
  return report;
}

std::string EquipmentMeasurement::attend(std::int64_t ticks) {
  operations_.done(ticks);
  operators_.poll(operations_);
  follow_signals();
  if (display_.due()) display_.show(operations_.ticks_done(), operations_.doing());
  return operations_.asked();
}

void EquipmentMeasurement::follow_signals() {
  composition::AskedBySignal asked;
  if (!composition::StopSignals::take(asked)) return;
  const composition::SignalWord word = composition::word_of(asked, {});
  operations_.leave(word.by, word.from, word.reason);
}

/// @returns why the rig may not be moved; empty: an operator has armed it
std::string EquipmentMeasurement::wait_until_armed() {
  const std::string word =
      "the operator's word to arm real equipment: trestle arm " + folder_;
  display_.show_wait(word);
  while (operations_.armed_by().empty()) {
    operators_.poll(operations_);
    follow_signals();
    if (!operations_.asked().empty()) return operations_.asked() + "; not armed";
    if (display_.due()) display_.show_wait(word);
    std::this_thread::sleep_for(kBetweenWords);
  }
  return {};
}

/// The rig moves from now on: the reply is for one time only.
void EquipmentMeasurement::take_told_drive() {
  if (!earlier_.drive) return;
  const site_node::ToldDrive& told = *earlier_.drive;
  recorder_.audit(session::audit_override(
      told.by, session::kOperatorChannel, "drive in force",
      site_node::drive_text(told.drive, setup_.settings.actuators.empty()
                                            ? setup_.site->rig->description().actuators
                                            : setup_.settings.actuators)));
  guard_.discard_told_drives();
}

CharacteriseReport measure_rig(CharacterisationSetup& setup, const std::string& folder,
                               const std::string& software, MeasurementDisplay& display) {
  composition::SiteSetup& site = *setup.site;
  CharacteriseReport report;
  yaml::ConfigErrorCollector problems(site.where);
  problems.attempt([&] {
    report = site.rig->description().real_equipment
                 ? measure_equipment(setup, folder, software, display)
                 : measure_simulation(setup);
  });
  problems.throw_if_any();
  return report;
}

}  // namespace trestle::characterisation
