
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/run_folder.h"
#include "composition/processes/stop_signals.h"
#include "core/base/lasting_file.h"
#include "core/yaml/override.h"
#include "studies/rehearsal/rehearsal_page.h"
#include "studies/rehearsal/rehearsal_report.h"

namespace trestle::cli {
namespace {

struct RehearseOptions {
  std::string test;                    ///< TEST.yaml
  std::vector<std::string> overrides;  ///< path=value
  std::int64_t faults = 1000;          ///< scenarios
  std::uint64_t seed = 1;
  std::int64_t steps = 40;               ///< of each scenario, at most
  std::optional<std::int64_t> scenario;  ///< this one alone, told
  int jobs = 0;                          ///< threads; 0: as many as there are cores
  bool json = false;
  std::string report;  ///< FILE.html; may be empty
};

int replay(const rehearsal::RehearsalSettings& settings, std::int64_t scenario, bool json) {
  rehearsal::ScenarioRunner runner(settings);
  const rehearsal::ScenarioRunner::ScenarioResult played = runner.play(scenario, true);
  std::fputs(json ? rehearsal::scenario_json(played, scenario, runner.bench()).c_str()
                  : rehearsal::scenario_text(played, runner.bench()).c_str(),
             stdout);
  return played.verdict.violations.empty() ? kExitComplete : kExitStopped;
}

int rehearse_faults(const RehearseOptions& options) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const rehearsal::RehearsalSettings settings{
      .test = options.test,
      .overrides = yaml::parse_command_line_overrides(options.overrides),
      .software = software_version(),
      .steps = options.steps,
      .scenarios = options.faults,
      .seed = options.seed,
      .jobs = options.jobs > 0 ? options.jobs : cores};
  if (options.scenario) return replay(settings, *options.scenario, options.json);
  const composition::StopSignals signals([](void*) {}, nullptr);
  const bool shown = !options.json && ::isatty(STDERR_FILENO) != 0;
  const rehearsal::RehearsalReport report =
      rehearsal::rehearse(settings, [&](std::int64_t done) {
        if (shown)
          std::fprintf(stderr, "\r%lld of %lld scenarios", static_cast<long long>(done),
                       static_cast<long long>(settings.scenarios));
        return !composition::StopSignals::asked();
      });
  if (shown) std::fprintf(stderr, "\r\033[K");
  std::fputs(options.json ? rehearsal::rehearsal_json(report, settings).c_str()
                          : rehearsal::rehearsal_text(report, settings).c_str(),
             stdout);
  try {
    if (!options.report.empty())
      keep_file(options.report, rehearsal::rehearsal_page(report, settings,
                                                          "trestle " + software_version()));
  } catch (const std::runtime_error& error) {  // the disk is full, or there is no folder
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return report.broken.empty() && report.scenarios == settings.scenarios ? kExitComplete
                                                                         : kExitStopped;
}

}  // namespace

void add_rehearse_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<RehearseOptions>();
  CLI::App* const verb = app.add_subcommand(
      "rehearse", "let everything go wrong in a test, on virtual time, many times");
  verb->add_option("test", options->test, "TEST.yaml")->required();
  add_override_option(*verb, options->overrides);
  verb->add_option("--faults", options->faults, "scenarios; default 1000")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
  verb->add_option("--seed", options->seed, "of all that is drawn; default 1");
  verb->add_option("--steps", options->steps,
                   "of each scenario: a longer test is cut off; default 40")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  verb->add_option("--scenario", options->scenario, "this one alone, told in full")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--jobs", options->jobs, "threads; default all cores")
      ->check(CLI::Range(1, 4096));
  verb->add_option("--report", options->report,
                   "FILE.html: tables and pictures, beside the screen");
  verb->add_flag("--json", options->json, "print the result as JSON, and nothing else");
  commands.add(verb, [options] { return rehearse_faults(*options); });
}

}  // namespace trestle::cli
