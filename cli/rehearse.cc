#include "cli/rehearse.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "cli/exit_code.h"
#include "cli/rehearse_report.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "cli/study_verbs.h"
#include "core/yaml/override.h"
#include "studies/rehearsal/rehearsal_page.h"

namespace trestle {
namespace {

int replay(const RehearsalSettings& settings, std::int64_t scenario, bool json) {
  ScenarioRunner runner(settings);
  const ScenarioRunner::ScenarioResult played = runner.play(scenario, true);
  std::fputs(json ? scenario_json(played, scenario, runner.bench()).c_str()
                  : scenario_text(played, runner.bench()).c_str(),
             stdout);
  return played.verdict.violations.empty() ? kExitComplete : kExitStopped;
}

}  // namespace

int rehearse(const RehearseOptions& options) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const RehearsalSettings settings{
      .test = options.test,
      .overrides = parse_command_line_overrides(options.overrides),
      .software = software_version(),
      .steps = options.steps,
      .scenarios = options.faults,
      .seed = options.seed,
      .jobs = options.jobs > 0 ? options.jobs : cores};
  if (options.scenario) return replay(settings, *options.scenario, options.json);
  const StopSignals signals([](void*) {}, nullptr);
  const bool shown = !options.json && ::isatty(STDERR_FILENO) != 0;
  const RehearsalReport report = rehearse(settings, [&](std::int64_t done) {
    if (shown)
      std::fprintf(stderr, "\r%lld of %lld scenarios", static_cast<long long>(done),
                   static_cast<long long>(settings.scenarios));
    return !StopSignals::asked();
  });
  if (shown) std::fprintf(stderr, "\r\033[K");
  std::fputs(options.json ? rehearsal_json(report, settings).c_str()
                          : rehearsal_text(report, settings).c_str(),
             stdout);
  try {
    if (!options.report.empty())
      write_file(options.report,
                 rehearsal_page(report, settings, "trestle " + software_version()));
  } catch (const std::runtime_error& error) {  // the disk is full, or there is no folder
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return report.broken.empty() && report.scenarios == settings.scenarios ? kExitComplete
                                                                         : kExitStopped;
}

RehearseVerb::RehearseVerb(CLI::App& app)
    : verb_(app.add_subcommand(
          "rehearse", "let everything go wrong in a test, on virtual time, many times")) {
  verb_->add_option("test", options_.test, "TEST.yaml")->required();
  verb_->add_option("--set", options_.overrides, kSetHelp)->allow_extra_args(false);
  verb_->add_option("--faults", options_.faults, "scenarios; default 1000")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
  verb_->add_option("--seed", options_.seed, "of all that is drawn; default 1");
  verb_
      ->add_option("--steps", options_.steps,
                   "of each scenario: a longer test is cut off; default 40")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  verb_->add_option("--scenario", options_.scenario, "this one alone, told in full")
      ->check(CLI::NonNegativeNumber);
  verb_->add_option("--jobs", options_.jobs, "threads; default all cores")
      ->check(CLI::Range(1, 4096));
  verb_->add_option("--report", options_.report,
                    "FILE.html: tables and pictures, beside the screen");
  verb_->add_flag("--json", options_.json, "print the result as JSON, and nothing else");
}

std::optional<int> RehearseVerb::run() const {
  if (verb_->parsed()) return rehearse(options_);
  return std::nullopt;
}

}  // namespace trestle
