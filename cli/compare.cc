#include <unistd.h>

#include <cstdio>
#include <exception>

#include "cli/exit_code.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "cli/verbs.h"
#include "studies/comparison/comparison.h"
#include "studies/comparison/comparison_page.h"

namespace trestle {

int compare(const CompareOptions& options) {
  const StopSignals signals([](void*) {}, nullptr);
  const std::vector<ComparisonEntry> tests =
      run_comparison(options.tests, options.overrides, software_version(),
                     [] { return !StopSignals::asked(); });
  if (tests.size() < options.tests.size()) {
    std::fprintf(stderr,
                 "STOPPED    the operator asked for a stop after %zu of %zu tests\n",
                 tests.size(), options.tests.size());
    return kExitStopped;
  }
  const bool on_terminal = options.out.empty() && isatty(STDOUT_FILENO) == 1;
  const TableStyle style = options.markdown ? TableStyle::kMarkdown
                           : on_terminal    ? TableStyle::kTerminal
                                            : TableStyle::kPlain;
  const std::string text = options.json ? comparison_json(tests)
                                        : comparison_text(tests, options.results, style);
  if (options.out.empty()) std::fputs(text.c_str(), stdout);
  try {
    if (!options.out.empty()) write_file(options.out, text);
    if (!options.report.empty())
      write_file(options.report, comparison_report(tests, options.results,
                                                   "trestle " + software_version()));
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace trestle
