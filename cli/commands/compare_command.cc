#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/run_folder.h"
#include "composition/processes/stop_signals.h"
#include "core/base/lasting_file.h"
#include "studies/comparison/comparison.h"
#include "studies/comparison/comparison_page.h"
#include "studies/comparison/comparison_text.h"

namespace trestle::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> tests;
  std::vector<std::string> overrides;  ///< of all of them
  std::vector<std::string> results;    ///< patterns
  int seeds = 1;                       ///< runs of each test
  std::string out;                     ///< file; empty: stdout
  bool markdown = false;
  bool json = false;
  std::string report;  ///< FILE.html; may be empty
};

bool names_folder(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none);
}

/// Returns the reason why folders and files cannot be compared as they are named.
std::string refusal_of_mixture(const CompareOptions& options) {
  for (const std::string& path : options.tests)
    if (!names_folder(path))
      return path +
             " is no folder; compare either runs (their folders) or tests (their "
             "files)";
  if (options.seeds > 1)
    return "--seeds is of tests that are run; the runs in these folders are over";
  if (!options.overrides.empty())
    return "--set is of tests that are run; the runs in these folders are over";
  return {};
}

/// @throws std::runtime_error with one sentence
std::vector<comparison::ComparisonEntry> read_runs(const CompareOptions& options) {
  if (const std::string why = refusal_of_mixture(options); !why.empty())
    throw std::runtime_error(why);
  return comparison::read_comparison(options.tests);
}

int compare(const CompareOptions& options) {
  const composition::StopSignals signals([](void*) {}, nullptr);
  std::vector<comparison::ComparisonEntry> tests;
  if (std::any_of(options.tests.begin(), options.tests.end(), names_folder)) {
    try {
      tests = read_runs(options);
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return kExitConfiguration;
    }
  } else {
    tests = comparison::run_comparison(
        options.tests, options.overrides, software_version(),
        [] { return !composition::StopSignals::asked(); }, options.seeds);
  }
  if (tests.size() < options.tests.size()) {
    std::fprintf(stderr,
                 "STOPPED    the operator asked for a stop after %zu of %zu tests\n",
                 tests.size(), options.tests.size());
    return kExitStopped;
  }
  const bool on_terminal = options.out.empty() && isatty(STDOUT_FILENO) == 1;
  const comparison::TableStyle style = options.markdown ? comparison::TableStyle::kMarkdown
                                       : on_terminal    ? comparison::TableStyle::kTerminal
                                                        : comparison::TableStyle::kPlain;
  const std::string text = options.json
                               ? comparison::comparison_json(tests)
                               : comparison::comparison_text(tests, options.results, style);
  if (options.out.empty()) std::fputs(text.c_str(), stdout);
  try {
    if (!options.out.empty()) keep_file(options.out, text);
    if (!options.report.empty())
      keep_file(options.report,
                comparison::comparison_report(tests, options.results,
                                              "trestle " + software_version()));
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace

void add_compare_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* const verb =
      app.add_subcommand("compare",
                         "run several tests, or read several runs, and set them side by "
                         "side");
  verb->add_option("tests", options->tests, "TEST.yaml ..., or folders of runs")
      ->required();
  add_override_option(*verb, options->overrides);
  verb->add_option("--results", options->results,
                   "rows of the table: criteria.J2, sites.*.nrmse; default the criteria, "
                   "else how the actuators tracked")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--seeds", options->seeds,
                   "runs of each test, with its seeds and those after them: the table has "
                   "mean and standard deviation, and marks the best only where the seeds "
                   "tell it from the others; default 1")
      ->check(CLI::Range(1, 10000));
  verb->add_option("--out", options->out, "FILE in place of the screen");
  verb->add_option("--report", options->report,
                   "FILE.html: tables and pictures, beside the screen");
  verb->add_flag("--markdown", options->markdown, "the table as Markdown");
  verb->add_flag("--json", options->json, "all results as JSON");
  commands.add(verb, [options] { return compare(*options); });
}

}  // namespace trestle::cli
