#include <cstdio>
#include <exception>

#include "cli/exit_code.h"
#include "cli/verbs.h"
#include "observe/export_csv.h"
#include "observe/export_hdf5.h"

namespace trestle {

int export_record(const ExportVerbOptions& options) {
  if (options.csv.empty() && options.hdf5.empty()) {
    std::fprintf(stderr, "export: say what to write: --csv FILE or --hdf5 FILE\n");
    return kExitConfiguration;
  }
  try {
    const ExportOptions what{.ticks = options.ticks};
    if (!options.csv.empty()) export_csv(options.folder, options.csv, what);
    if (!options.hdf5.empty()) export_hdf5(options.folder, options.hdf5, what);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace trestle
