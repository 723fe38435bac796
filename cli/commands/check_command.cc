#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/check_json.h"
#include "cli/terminal/check_text.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/mode_shapes.h"
#include "cli/terminal/software_version.h"
#include "composition/hybrid_test/relay_factory.h"
#include "composition/processes/gateway_setup.h"
#include "core/base/lasting_file.h"
#include "core/yaml/config_error.h"
#include "core/yaml/kind_of_file.h"
#include "studies/campaign/study_factory.h"
#include "studies/pretest/plausibility.h"
#include "studies/pretest/site_outlook.h"
#include "studies/pretest/test_check.h"

namespace trestle::cli {
namespace {

struct CheckOptions {
  std::string file;
  std::vector<std::string> overrides;  ///< path=value
  std::string modes;                   ///< file of the mode shapes; empty: none
  bool json = false;
};

std::string joined_by_commas(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& one : words) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void print_as_questions(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::printf("question   %s\n", line.c_str());
}

void print_ok(const CheckOptions& options) {
  std::printf("ok         nothing is wrong in %s\n", options.file.c_str());
}

void check_link(const CheckOptions& options) {
  for (const network_emulator::RelaySettings& relay :
       composition::load_relays(options.file, options.overrides))
    std::printf("relay      %s: %s to %s\n", relay.name.c_str(),
                network_emulator::text(relay.listen).c_str(),
                network_emulator::text(relay.to).c_str());
}

void check_study(const CheckOptions& options) {
  const campaign::StudyFile file =
      campaign::read_study(options.file, options.overrides, software_version());
  const campaign::StudyPlan plan = campaign::study_plan(file);
  std::printf(
      "study      %s: %s of %s, %s drawn\n", file.study.study().c_str(),
      plural(static_cast<std::size_t>(plan.runs), "run").c_str(), file.study.test().c_str(),
      plural(static_cast<std::size_t>(file.study.parameters_size()), "parameter").c_str());
}

int check_gateway(const CheckOptions& options) {
  const auto setup = composition::set_up_gateway(options.file, options.overrides, false,
                                                 software_version());
  const std::vector<std::string> questions =
      pretest::doubtful_numbers(setup->file, setup->where);
  if (options.json) {
    const nlohmann::ordered_json json{{"gateway", setup->file.gateway()},
                                      {"sites", setup->remote.size()},
                                      {"questions", questions}};
    std::printf("%s\n", json.dump(2).c_str());
    return kExitComplete;
  }
  std::printf("gateway    %s, %s\n", setup->file.gateway().c_str(),
              plural(setup->remote.size(), "site").c_str());
  print_as_questions(questions);
  print_ok(options);
  return kExitComplete;
}

/// A part that a site's file includes: read as it would be there.
void check_rig(const CheckOptions& options) {
  std::printf(
      "rig        %s; a part for `rig: {include: ...}`, check the file that includes "
      "it as well\n",
      plural(pretest::actuators_of_rig_file(options.file, options.overrides), "actuator")
          .c_str());
}

/// What `trestle site` refuses must change, as in a test; only the rest is a question.
void print_missing_limits(const pretest::SiteOutlook& look) {
  const std::string without = joined_by_commas(look.without_limit);
  if (without.empty()) return;
  const char* const mark = look.must_change.empty() ? "question" : "CHANGE  ";
  const char* const what =
      !look.must_change.empty() ? "`trestle site` refuses it"
      : look.described          ? "the gate lets everything pass there"
                       : "if the plug-in drives real equipment, `trestle site` refuses it: "
                         "state them in limits.actuators";
  std::printf("%s   no limit of: %s; %s\n", mark, without.c_str(),
              look.answered_for.empty() ? what : look.answered_for.c_str());
}

/// Of `--json`: words that programs compare with. `described` says how much was judged.
const char* verdict_of(const pretest::SiteOutlook& look) {
  if (!look.must_change.empty()) return "must change";
  return look.unreached.empty() ? "may serve" : "may serve where keys are given";
}

std::string verdict_in_words(const pretest::SiteOutlook& look) {
  const std::string verdict = verdict_of(look);
  if (look.must_change.empty() && !look.described)
    return "none: only `trestle site`, which opens the rig, learns whether it is "
           "real equipment and what the plug-in says to its settings";
  if (look.unreached.empty()) return verdict;
  return verdict + "; as the file stands `trestle site` refuses it";
}

void print_site(const pretest::SiteOutlook& look) {
  std::printf("site %s    %zu actuator%s\n", look.site.c_str(), look.actuators,
              look.actuators == 1 ? "" : "s");
  std::printf("reached    %s\n",
              look.listen.empty() ? ("calls the integrator at " + look.integrator).c_str()
                                  : ("listens at " + look.listen).c_str());
  if (look.plugin.empty())
    std::printf("rig        simulated\n");
  else if (look.described)
    std::printf("rig        plug-in %s: settings read, not opened\n", look.plugin.c_str());
  else
    std::printf(
        "rig        plug-in %s: loaded, not opened; `trestle adapter check` asks it what "
        "its settings are worth\n",
        look.plugin.c_str());
  print_missing_limits(look);
  print_as_questions(look.doubtful);
  print_as_questions(look.unreached);
  for (const std::string& line : look.expired) std::printf("WARNING    %s\n", line.c_str());
  if (!look.uncalibrated.empty())
    std::printf("question   no calibration is stated of: %s; give `calibration`\n",
                joined_by_commas(look.uncalibrated).c_str());
  std::printf("verdict    %s\n", verdict_in_words(look).c_str());
}

int check_site(const CheckOptions& options) {
  const pretest::SiteOutlook look =
      pretest::outlook_of_site(options.file, options.overrides, software_version());
  for (const std::string& line : look.must_change)
    std::fprintf(stderr, "%s\n", line.c_str());
  const int code = look.must_change.empty() ? kExitComplete : kExitStopped;
  if (!options.json) {
    print_site(look);
    return code;
  }
  nlohmann::ordered_json json{{"site", look.site}, {"actuators", look.actuators}};
  if (!look.plugin.empty()) json["plug_in"] = look.plugin;
  json["described"] = look.described;
  json["without_limit"] = look.without_limit;
  json["questions"] = look.doubtful;
  for (const std::string& line : look.unreached) json["questions"].push_back(line);
  if (!look.must_change.empty()) json["must_change"] = look.must_change;
  if (!look.expired.empty()) json["expired_calibrations"] = look.expired;
  if (!look.uncalibrated.empty()) json["without_calibration"] = look.uncalibrated;
  json["verdict"] = verdict_of(look);
  std::printf("%s\n", json.dump(2).c_str());
  return code;
}

/// Checks a file that is no test: a site, a link, a study, a gateway, or the rig that one
/// of them includes.
/// @returns the exit code; nothing if the file is a test, or of no kind that is known here
/// @throws ConfigError with everything that is wrong in the file
std::optional<int> check_other_file(const CheckOptions& options) {
  const std::string kind = yaml::kind_of_file(options.file);
  if (kind == "SiteFile") return check_site(options);
  if (kind == "GatewayFile") return check_gateway(options);
  if (kind == "LinkFile")
    check_link(options);
  else if (kind == "Study")
    check_study(options);
  else if (kind == "Rig")
    check_rig(options);
  else
    return std::nullopt;
  print_ok(options);
  return kExitComplete;
}

void complain(const std::vector<pretest::TestFinding>& findings) {
  for (const pretest::TestFinding& finding : findings)
    if (finding.weight == pretest::TestFinding::Weight::kStops)
      std::fprintf(stderr, "%s\n", pretest::in_words(finding).c_str());
}

/// @throws std::runtime_error if the model has no modes, or the file cannot be written
void write_modes(const composition::NumericalReport& model, const std::string& file) {
  if (model.shapes.empty())
    throw std::runtime_error(
        "--modes: the model of this test has no modes; take a frame, "
        "shear_building, beam or matrices");
  keep_file(file, mode_shapes_csv(model));
}

int check_file(const CheckOptions& options) {
  if (const std::optional<int> code = check_other_file(options)) {
    if (options.modes.empty()) return *code;
    throw std::runtime_error("--modes: " + options.file + " is no test, which has modes");
  }
  const pretest::TestCheck check =
      pretest::check_before_run(options.file, options.overrides, software_version());
  if (!options.modes.empty()) write_modes(check.setup->report.model, options.modes);
  if (options.json)
    std::fputs(check_json(check).c_str(), stdout);
  else
    print_check(check);
  complain(check.findings);
  return pretest::any_stops(check.findings) ? kExitStopped : kExitComplete;
}

}  // namespace

void add_check_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* const verb = app.add_subcommand("check", "look at a test before it runs");
  verb->add_option("test", options->file, "TEST.yaml")->required();
  add_override_option(*verb, options->overrides);
  verb->add_option("--modes", options->modes, "FILE.csv of the mode shapes");
  verb->add_flag("--json", options->json, "print the result as JSON");
  commands.add(verb, [options] {
    try {
      return check_file(*options);
    } catch (const yaml::ConfigError&) {
      throw;  // all its lines are printed where all commands end
    } catch (const std::runtime_error& error) {
      if (options->modes.empty()) throw;
      std::fprintf(stderr, "%s\n", error.what());
      return static_cast<int>(kExitConfiguration);
    }
  });
}

}  // namespace trestle::cli
