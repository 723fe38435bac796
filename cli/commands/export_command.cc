#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/test_time.h"
#include "observe/export/export_csv.h"
#include "observe/export/export_hdf5.h"
#include "observe/export/export_health.h"
#include "observe/export/export_ledger.h"
#include "observe/export/export_mat.h"
#include "observe/export/export_svg.h"

namespace trestle::cli {
namespace {

struct ExportCommandOptions {
  std::string folder;
  std::string csv;     ///< file; empty: not asked for
  std::string hdf5;    ///< file; empty: not asked for
  std::string mat;     ///< file; empty: not asked for
  std::string ledger;  ///< file; empty: not asked for
  std::string health;  ///< file; empty: not asked for
  std::string svg;     ///< file; empty: not asked for
  bool ticks = false;
  exports::PictureOptions picture;
  std::vector<std::string> over;  ///< further runs in the picture
  std::string from;               ///< "1.5s"; empty: the first step
  std::string to;
};

std::optional<double> time_of(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::optional<double> time = read_test_time(text);
  if (time && *time >= 0.0) return time;
  throw std::runtime_error(std::string(option) + " " + text +
                           " is no time of the test, such as 17.4s");
}

void draw_columns(const ExportCommandOptions& options) {
  exports::PictureOptions picture = options.picture;
  picture.from = time_of("--from", options.from);
  picture.to = time_of("--to", options.to);
  if (picture.from && picture.to && *picture.to <= *picture.from)
    throw std::runtime_error("--to " + options.to + " is not after --from " + options.from);
  std::vector<std::string> runs{options.folder};
  runs.insert(runs.end(), options.over.begin(), options.over.end());
  exports::export_svg(runs, options.svg, picture);
}

int export_record(const ExportCommandOptions& options) {
  if (options.csv.empty() && options.hdf5.empty() && options.mat.empty() &&
      options.ledger.empty() && options.health.empty() && options.svg.empty()) {
    std::fprintf(stderr,
                 "export: say what to write: --csv FILE, --hdf5 FILE, --mat FILE, "
                 "--ledger FILE, --health FILE or --svg FILE --columns NAME\n");
    return kExitConfiguration;
  }
  try {
    const exports::ExportOptions what{.ticks = options.ticks};
    if (!options.csv.empty()) exports::export_csv(options.folder, options.csv, what);
    if (!options.hdf5.empty()) exports::export_hdf5(options.folder, options.hdf5, what);
    if (!options.mat.empty()) exports::export_mat(options.folder, options.mat, what);
    if (!options.ledger.empty()) exports::export_ledger(options.folder, options.ledger);
    if (!options.health.empty()) exports::export_health(options.folder, options.health);
    if (!options.svg.empty()) draw_columns(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace

void add_export_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<ExportCommandOptions>();
  CLI::App* const verb =
      app.add_subcommand("export", "write a record as CSV, HDF5, MAT or a picture");
  verb->add_option("folder", options->folder, "folder of a run")->required();
  verb->add_option("--csv", options->csv, "FILE; - for standard output");
  verb->add_option("--hdf5", options->hdf5, "FILE");
  verb->add_option("--mat", options->mat, "FILE, for MATLAB");
  verb->add_option("--ledger", options->ledger,
                   "FILE.csv: where the time of each step went, site by site");
  verb->add_option("--health", options->health,
                   "FILE.csv: what the sites reported with their heartbeats");
  verb->add_flag("--ticks", options->ticks, "the control-rate record of the sites");
  CLI::Option* const svg = verb->add_option(
      "--svg", options->svg, "FILE: a picture of recorded columns; - for standard output");
  CLI::Option* const columns =
      verb->add_option("--columns", options->picture.columns,
                       "what --svg draws: names of columns of --csv, with commas between "
                       "them; 2:NAME is that of the second run alone")
          ->delimiter(',')
          ->needs(svg);
  svg->needs(columns);
  verb->add_option("--over", options->over,
                   "folder of a further run, laid over the first; may be repeated")
      ->allow_extra_args(false)
      ->needs(svg);
  verb->add_option("--less", options->picture.less,
                   "folder of a run whose values are subtracted step by step")
      ->needs(svg);
  verb->add_option("--against", options->picture.against,
                   "a column in place of time: loops")
      ->needs(svg);
  verb->add_flag("--log", options->picture.logarithmic,
                 "magnitudes, on a logarithmic scale")
      ->needs(svg);
  verb->add_option("--from", options->from, "earliest time that is drawn: 1.5s")
      ->needs(svg);
  verb->add_option("--to", options->to, "latest time that is drawn: 3s")->needs(svg);
  commands.add(verb, [options] { return export_record(*options); });
}

}  // namespace trestle::cli
