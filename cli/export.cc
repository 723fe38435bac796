#include <cstdio>
#include <exception>

#include "cli/exit_code.h"
#include "cli/verbs.h"
#include "observe/export/export_csv.h"
#include "observe/export/export_hdf5.h"
#include "observe/export/export_ledger.h"
#include "observe/export/export_mat.h"

namespace trestle {

int export_record(const ExportVerbOptions& options) {
  if (options.csv.empty() && options.hdf5.empty() && options.mat.empty() &&
      options.ledger.empty()) {
    std::fprintf(stderr,
                 "export: say what to write: --csv FILE, --hdf5 FILE, --mat FILE or "
                 "--ledger FILE\n");
    return kExitConfiguration;
  }
  try {
    const ExportOptions what{.ticks = options.ticks};
    if (!options.csv.empty()) export_csv(options.folder, options.csv, what);
    if (!options.hdf5.empty()) export_hdf5(options.folder, options.hdf5, what);
    if (!options.mat.empty()) export_mat(options.folder, options.mat, what);
    if (!options.ledger.empty()) export_ledger(options.folder, options.ledger);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace trestle
