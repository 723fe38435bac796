#pragma once

#include <string>

#include "observe/export/export_options.h"

namespace trestle::exports {

/// Writes a run as HDF5: group `/result` with one 1-D dataset of doubles per channel of the
/// integrator's `result` stream, and `time_s`; with `ticks` also a group `/tick/<site>` per
/// site. Opens in MATLAB (`h5read(file, '/result/time_s')`) and h5py.
///
/// Attributes: of every dataset `unit`; of every group of datasets `dt` (period of its
/// index [s]); of the root `test`, `session` and all else that the journal says of itself.
/// Group `/event`: `time_s`, `node`, `kind`, `text` of the integrator's events.
///
/// @param run_dir  folder of the run
/// @param file     written over where it is there
/// @throws std::runtime_error with one sentence, as export_csv(); no partial file is left
void export_hdf5(const std::string& run_dir, const std::string& file,
                 const ExportOptions& options);

}  // namespace trestle::exports
