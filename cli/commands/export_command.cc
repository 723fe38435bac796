#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "observe/export/export_csv.h"
#include "observe/export/export_hdf5.h"
#include "observe/export/export_ledger.h"
#include "observe/export/export_mat.h"

namespace trestle::cli {
namespace {

struct ExportCommandOptions {
  std::string folder;
  std::string csv;     ///< file; empty: not asked for
  std::string hdf5;    ///< file; empty: not asked for
  std::string mat;     ///< file; empty: not asked for
  std::string ledger;  ///< file; empty: not asked for
  bool ticks = false;
};

int export_record(const ExportCommandOptions& options) {
  if (options.csv.empty() && options.hdf5.empty() && options.mat.empty() &&
      options.ledger.empty()) {
    std::fprintf(stderr,
                 "export: say what to write: --csv FILE, --hdf5 FILE, --mat FILE or "
                 "--ledger FILE\n");
    return kExitConfiguration;
  }
  try {
    const exports::ExportOptions what{.ticks = options.ticks};
    if (!options.csv.empty()) exports::export_csv(options.folder, options.csv, what);
    if (!options.hdf5.empty()) exports::export_hdf5(options.folder, options.hdf5, what);
    if (!options.mat.empty()) exports::export_mat(options.folder, options.mat, what);
    if (!options.ledger.empty()) exports::export_ledger(options.folder, options.ledger);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace

void add_export_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<ExportCommandOptions>();
  CLI::App* const verb = app.add_subcommand("export", "write a record as CSV, HDF5 or MAT");
  verb->add_option("folder", options->folder, "folder of a run")->required();
  verb->add_option("--csv", options->csv, "FILE; - for standard output");
  verb->add_option("--hdf5", options->hdf5, "FILE");
  verb->add_option("--mat", options->mat, "FILE, for MATLAB");
  verb->add_option("--ledger", options->ledger,
                   "FILE.csv: where the time of each step went, site by site");
  verb->add_flag("--ticks", options->ticks, "the control-rate record of the sites");
  commands.add(verb, [options] { return export_record(*options); });
}

}  // namespace trestle::cli
