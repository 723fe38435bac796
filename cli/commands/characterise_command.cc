#include <unistd.h>

#include <algorithm>
#include <complex>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/problems.h"
#include "cli/terminal/progress_line.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/opening_signals.h"
#include "composition/processes/run_folder.h"
#include "core/base/lasting_file.h"
#include "core/base/set_aside.h"
#include "core/base/setting_error.h"
#include "core/host/line_writer.h"
#include "studies/characterisation/characterisation_setup.h"
#include "studies/characterisation/characterise_page.h"
#include "studies/characterisation/characterise_summary.h"
#include "studies/characterisation/equipment_measurement.h"
#include "studies/characterisation/hinf_controller.h"
#include "studies/characterisation/measurement_display.h"
#include "studies/characterisation/measurement_folder.h"
#include "studies/characterisation/measurement_refusal.h"
#include "studies/characterisation/transfer_system_text.h"
#include "studies/pretest/plausibility.h"

namespace trestle::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CharacteriseOptions {
  std::string site;  ///< SITE.yaml
  std::string out = "transfer_system.yaml";
  std::string folder;  ///< of real equipment: its record, and the operators' channel
  std::vector<std::string> overrides;
  bool json = false;
  std::string report;  ///< FILE.html; may be empty
  std::string design;  ///< "hinf"; may be empty
};

/// Shows a measurement of real equipment on stderr.
class MeasurementTerminal final : public characterisation::MeasurementDisplay {
 public:
  explicit MeasurementTerminal(double tick)
      : terminal_(STDERR_FILENO), progress_(0, tick, terminal_) {}

  bool due() const override { return progress_.due(); }
  void show(std::int64_t ticks_done, const std::string& doing) override {
    progress_.show(ticks_done, "", "   " + doing);
  }
  void show_wait(const std::string& waiting_for) override {
    progress_.show_wait(0, waiting_for);
  }
  void plan(std::int64_t ticks) override { progress_.plan(ticks); }
  void print(const std::string& text) override { terminal_.write(text); }
  void end() override { progress_.end(); }
  void abandon(const std::string& why) override {
    host::write_last_words(STDERR_FILENO, ("\n" + why + "\n").c_str());
    std::_Exit(kExitStopped);
  }

 private:
  host::LineWriter terminal_;
  ProgressLine progress_;
};

characterisation::CharacteriseReport measure(characterisation::CharacterisationSetup& setup,
                                             const CharacteriseOptions& options) {
  MeasurementTerminal terminal(setup.settings.tick);
  return characterisation::measure_rig(setup, options.folder, software_version(), terminal);
}

Json complex_list(const std::vector<std::complex<double>>& values) {
  Json list = Json::array();
  for (const std::complex<double>& value : values)
    list.push_back({value.real(), value.imag()});
  return list;
}

Json characterise_json(const characterisation::IdentifiedTransfer& found) {
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
  for (const characterisation::ResponsePoint& point : found.points)
    json["response"].push_back(
        {{"frequency_hz", point.frequency},
         {"measured", {point.measured.real(), point.measured.imag()}},
         {"fitted", {point.fitted.real(), point.fitted.imag()}},
         {"deviation", point.deviation},
         {"coherence", point.coherence}});
  return json;
}

Json characterise_json(const std::string& site,
                       const characterisation::CharacteriseReport& report) {
  Json json;
  json["site"] = site;
  json["complete"] = report.end == characterisation::CharacterisationOutcome::kComplete;
  json["reason"] = report.reason;
  json["duration_s"] = report.duration;
  json["overruns"] = report.overruns;
  json["actuators"] = Json::array();
  if (report.end != characterisation::CharacterisationOutcome::kComplete) return json;
  for (const characterisation::ActuatorFinding& found : report.actuators) {
    Json actuator = characterise_json(found.transfer);
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
  for (const characterisation::CouplingFinding& found : report.coupling) {
    Json entry;
    entry["to"] = found.to + 1;
    entry["from"] = found.from + 1;
    entry["nothing"] = found.transfer.nothing;
    entry.update(characterise_json(found.transfer));
    json["coupling"].push_back(entry);
  }
  return json;
}

Json design_json(const characterisation::RigController& found) {
  Json json;
  json["kind"] = "hinf";
  json["bandwidth_hz"] = found.design.weights.bandwidth;
  json["gamma"] = found.design.hinf.level;
  json["least_gamma"] = found.design.hinf.least_level;
  json["norm"] = found.design.norm;
  json["error_peak"] = found.design.error_peak;
  json["drive_peak"] = found.design.drive_peak;
  json["states"] = found.design.hinf.controller.states();
  json["expected_delay_s"] = found.low_frequency_delay;
  return json;
}

/// `transfer_system.yaml` -> `transfer_system_compensator.yaml`
std::string file_beside(const std::string& out, const std::string& what) {
  const std::filesystem::path path(out);
  return (path.parent_path() /
          (path.stem().string() + "_" + what + path.extension().string()))
      .string();
}

/// A rig that is on time needs no compensator.
bool needs_compensator(const characterisation::CharacteriseReport& report) {
  return std::all_of(report.actuators.begin(), report.actuators.end(),
                     [](const characterisation::ActuatorFinding& found) {
                       return found.transfer.low_frequency_delay > 0.0;
                     });
}

/// What an earlier measurement wrote and this one did not is not of the rig as it is now.
/// @returns sentences, each with its end of line; may be empty
std::string set_earlier_aside(const characterisation::CharacteriseReport& report,
                              bool controller_designed,
                              const CharacteriseOptions& options) {
  const std::filesystem::path out(options.out);
  const std::string folder = out.has_parent_path() ? out.parent_path().string() : ".";
  const auto name = [&](const char* what) {
    return std::filesystem::path(file_beside(options.out, what)).filename().string();
  };
  std::string sentences;
  const auto move = [&](const std::string& file) {
    if (const std::string aside = set_aside(folder, {file}); !aside.empty())
      sentences += file + " is of an earlier measurement; it was moved to " + aside + "\n";
  };
  if (!needs_compensator(report)) move(name("compensator"));
  if (controller_designed) return sentences;
  const std::string controller = name("controller");
  if (!options.design.empty())
    move(controller);
  else if (std::filesystem::exists(file_beside(options.out, "controller")))
    sentences += controller +
                 " is of an earlier measurement and was left as it is; --design hinf "
                 "designs it again\n";
  return sentences;
}

/// @returns the files that were written, for the person
std::string write_results(const characterisation::CharacterisationSetup& setup,
                          const characterisation::CharacteriseReport& report,
                          const std::optional<characterisation::RigController>& controller,
                          const CharacteriseOptions& options, bool real_equipment) {
  const composition::SiteSetup& site = *setup.site;
  const characterisation::CharacteriseFacts facts{.site = site.file.site(),
                                                  .file = options.site,
                                                  .stamp = composition::utc_timestamp(),
                                                  .real_equipment = real_equipment};
  if (!options.report.empty())
    keep_file(options.report,
              characterisation::characterise_page(report, setup.settings, site.file.site(),
                                                  "trestle " + software_version()));
  keep_file(options.out,
            characterisation::transfer_system_yaml(report, setup.settings, facts));
  std::string written = options.out;
  if (controller) {
    const std::string file = file_beside(options.out, "controller");
    keep_file(file, characterisation::hinf_controller_yaml(
                        *controller, setup.settings, facts,
                        std::filesystem::path(file).filename().string()));
    written += " and " + file;
  }
  if (!needs_compensator(report)) return written;
  keep_file(file_beside(options.out, "compensator"),
            characterisation::compensator_yaml(report, site.file.site()));
  return written + " and " + file_beside(options.out, "compensator");
}

/// A controller of the identified rig, or why there is none; neither if none was asked for.
struct DesignOutcome {
  std::optional<characterisation::RigController> controller;
  std::string error;
};

DesignOutcome design_controller(const characterisation::CharacterisationSetup& setup,
                                const characterisation::CharacteriseReport& report,
                                const CharacteriseOptions& options) {
  if (options.design.empty() ||
      report.end != characterisation::CharacterisationOutcome::kComplete)
    return {};
  try {
    return {characterisation::design_hinf_controller(report, setup.settings), {}};
  } catch (const SettingError& error) {
    const auto& problem = error.problems().front();
    return {std::nullopt, problem.path + ": " + problem.what};
  }
}

/// What follows is calculated: a signal that came for the rig, and that nobody has
/// followed, ends the program now.
/// @returns whether it was real equipment
bool give_back_rig(characterisation::CharacterisationSetup& setup,
                   std::optional<composition::OpeningSignals>& opening) {
  const bool real_equipment = setup.site->rig->description().real_equipment;
  setup.site->rig.reset();
  opening.reset();
  if (composition::AskedBySignal asked; composition::StopSignals::take(asked))
    raise(asked.number);
  return real_equipment;
}

int measure_and_report(const CharacteriseOptions& options) {
  characterisation::check_measurement_folder(options.site, options.overrides,
                                             options.folder);
  std::optional<composition::OpeningSignals> opening(std::in_place, kExitStopped);
  characterisation::CharacterisationSetup setup = characterisation::load_characterisation(
      options.site, options.overrides, software_version());
  print_questions(pretest::doubtful_numbers(setup.site->file, setup.site->where));
  const std::string site = setup.site->file.site();
  const characterisation::CharacteriseReport report = measure(setup, options);
  const bool real_equipment = give_back_rig(setup, opening);
  const DesignOutcome design = design_controller(setup, report, options);
  if (options.json) {
    Json json = characterise_json(site, report);
    if (design.controller) json["controller"] = design_json(*design.controller);
    std::printf("%s\n", json.dump(2).c_str());
  }
  if (report.overruns > 0)
    std::fprintf(stderr,
                 "%lld control ticks came too late, one of them by %.3g ms; see what "
                 "`trestle doctor` says of this host\n",
                 static_cast<long long>(report.overruns), 1e3 * seconds(report.latest));
  if (report.end != characterisation::CharacterisationOutcome::kComplete) {
    std::fprintf(stderr, "%s\n", report.reason.c_str());
    return report.end == characterisation::CharacterisationOutcome::kRefused
               ? kExitConfiguration
               : kExitStopped;
  }
  std::string written;
  std::string earlier;
  try {
    written = write_results(setup, report, design.controller, options, real_equipment);
    earlier = set_earlier_aside(report, design.controller.has_value(), options);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  if (!options.json)
    std::printf("site %s measured within %.4g s\n%s%swritten to %s\n", site.c_str(),
                report.duration,
                characterisation::characterise_summary(report, setup.settings).c_str(),
                design.controller
                    ? characterisation::hinf_controller_summary(*design.controller).c_str()
                    : "",
                written.c_str());
  std::fputs(earlier.c_str(), stderr);
  if (design.error.empty()) return kExitComplete;
  std::fprintf(stderr, "%s\nNo controller was designed; all else is written.\n",
               design.error.c_str());
  return kExitConfiguration;
}

int characterise_site(const CharacteriseOptions& options) {
  try {
    return measure_and_report(options);
  } catch (const characterisation::MeasurementRefusal& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return kExitConfiguration;
  }
}

}  // namespace

void add_characterise_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<CharacteriseOptions>();
  CLI::App* const verb =
      app.add_subcommand("characterise", "measure a laboratory's rig before a test");
  verb->add_option("site", options->site, "SITE.yaml")->required();
  verb->add_option("--out", options->out,
                   "FILE of the result; default transfer_system.yaml");
  verb->add_option("--folder", options->folder,
                   "FOLDER of the record, where `trestle arm` finds real equipment; "
                   "default runs/characterise-SITE-TIME");
  add_override_option(*verb, options->overrides);
  verb->add_option("--report", options->report,
                   "FILE.html: tables and pictures, beside the screen");
  verb->add_option("--design", options->design,
                   "hinf: also design a controller, as characterise.hinf in SITE.yaml "
                   "weighs it, and write it beside the result")
      ->check(CLI::IsMember({"hinf"}));
  verb->add_flag("--json", options->json,
                 "print all that was found as JSON, and nothing else");
  commands.add(verb, [options] { return characterise_site(*options); });
}

}  // namespace trestle::cli
