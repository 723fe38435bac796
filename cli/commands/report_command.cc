#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/print_pdf.h"
#include "cli/terminal/software_version.h"
#include "core/base/atomic_file.h"
#include "core/base/journal_names.h"
#include "observe/report/comparison_page.h"
#include "observe/report/run_page.h"

namespace trestle::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;  ///< of one run, or of two
  std::string out;                   ///< FILE.html; empty: in the first folder
  bool pdf = false;                  ///< also as PDF, by Chromium
};

bool is_in(const std::string& folder, const char* name) {
  std::error_code none;
  return std::filesystem::exists(std::filesystem::path(folder) / name, none);
}

/// The report that a study left in its folder, as it stands there: only the study knows
/// what it drew and fitted. Nothing: the folder is of a run.
/// @throws std::runtime_error with one sentence if a campaign has none yet
std::optional<std::string> report_of_study(const std::string& folder) {
  if (is_in(folder, kIntegratorJournal)) return std::nullopt;
  if (!is_in(folder, "report.html")) {
    if (is_in(folder, "campaign.db"))
      throw std::runtime_error(folder +
                               ": the campaign is not complete, and its report is made at "
                               "its end; continue it: trestle campaign STUDY.yaml --out " +
                               folder);
    return std::nullopt;
  }
  std::ifstream file(folder + "/report.html", std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

std::string page_of(const ReportOptions& options, const std::string& generator) {
  const std::optional<std::string> study = report_of_study(options.folders.front());
  if (options.folders.size() == 1 && study) return *study;
  for (const std::string& folder : options.folders)
    if (report_of_study(folder))
      throw std::runtime_error(
          folder +
          " is the folder of a study, and only runs are laid over each "
          "other; name one folder");
  // Two runs are laid over each other row by row.
  const report::ReadBounds bounds{.most_values = options.folders.size() == 1
                                                     ? report::kMostValues
                                                     : 2 * report::kMostValues};
  const report::RunData first(options.folders.front(), bounds);
  if (options.folders.size() == 1) return report::run_page(first, generator);
  const report::RunData second(options.folders.back(), bounds);
  for (const report::RunData* const run : {&first, &second})
    if (run->outline.is_long)
      throw std::runtime_error(
          run->folder +
          " is too long to be laid over another run (more than 2^27 recorded numbers); "
          "draw columns of both: trestle export --svg FILE --columns NAMES --over RUN");
  return report::comparison_page(first, second, generator);
}

std::string default_file(const ReportOptions& options) {
  const std::filesystem::path folder(options.folders.front());
  return (folder / (options.folders.size() == 1 ? "report.html" : "comparison.html"))
      .string();
}

int write_report(const ReportOptions& options) {
  const std::string file = options.out.empty() ? default_file(options) : options.out;
  try {
    const std::string page = page_of(options, "trestle " + software_version());
    AtomicFile html(file);
    html.write(page);
    html.keep();
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  if (file == "-") return kExitComplete;
  std::printf("written to %s; open it in a browser, no network is needed\n", file.c_str());
  if (!options.pdf) return kExitComplete;
  const std::string pdf = std::filesystem::path(file).replace_extension(".pdf").string();
  const std::string problem = print_pdf(file, pdf);
  if (!problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    return kExitConfiguration;
  }
  std::printf("written to %s\n", pdf.c_str());
  return kExitComplete;
}

}  // namespace

void add_report_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* const verb = app.add_subcommand(
      "report",
      "write a run or a study as one HTML document, or two runs laid over each other");
  verb->add_option("folders", options->folders,
                   "folder of a run or a study; of a second run")
      ->required()
      ->expected(1, 2);
  verb->add_option("--out", options->out,
                   "FILE.html; - for standard output; default report.html in the folder, "
                   "of two runs comparison.html");
  verb->add_flag("--pdf", options->pdf, "also as PDF beside it; needs Chromium");
  commands.add(verb, [options] { return write_report(*options); });
}

}  // namespace trestle::cli
