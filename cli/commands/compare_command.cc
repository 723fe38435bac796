#include <unistd.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
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
  std::string out;                     ///< file; empty: stdout
  bool markdown = false;
  bool json = false;
  std::string report;  ///< FILE.html; may be empty
};

int compare(const CompareOptions& options) {
  const composition::StopSignals signals([](void*) {}, nullptr);
  const std::vector<comparison::ComparisonEntry> tests =
      comparison::run_comparison(options.tests, options.overrides, software_version(),
                                 [] { return !composition::StopSignals::asked(); });
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
      app.add_subcommand("compare", "run several tests, and set them side by side");
  verb->add_option("tests", options->tests, "TEST.yaml ...")->required();
  add_override_option(*verb, options->overrides);
  verb->add_option("--results", options->results,
                   "rows of the table: criteria.J2, sites.*.nrmse; default the criteria, "
                   "else how the actuators tracked")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--out", options->out, "FILE in place of the screen");
  verb->add_option("--report", options->report,
                   "FILE.html: tables and pictures, beside the screen");
  verb->add_flag("--markdown", options->markdown, "the table as Markdown");
  verb->add_flag("--json", options->json, "all results as JSON");
  commands.add(verb, [options] { return compare(*options); });
}

}  // namespace trestle::cli
