#pragma once

#include <string>

#include "observe/export/export_options.h"

namespace trestle::exports {

/// Writes a run as a MATLAB file, with the parts of export_hdf5(): structures `result`,
/// with `ticks` also `tick.<site>`, `event`, and `meta`. Fields have the names of the
/// channels as far as MATLAB takes them; `names` is the table of both, with the units.
/// Opens with `load` in MATLAB and with scipy.io.loadmat.
///
/// @param run_dir  folder of the run
/// @param file     written over where it is there
/// @throws std::runtime_error with one sentence, as export_csv(); no partial file is left
void export_mat(const std::string& run_dir, const std::string& file,
                const ExportOptions& options);

}  // namespace trestle::exports
