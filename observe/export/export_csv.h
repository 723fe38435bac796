#pragma once

#include <string>

#include "observe/export/export_options.h"

namespace trestle::exports {

/// Writes a run as CSV: `time_s`, then the channels of the integrator's `result` stream in
/// the order of the journal, one line per step; time is step · Δt. The initial measurement
/// (step −1) is no step and is left out.
///
/// With `ticks`: the channels of all sites' `tick` streams, one line per control tick,
/// joined by the number of the tick; a cell is empty if a site has no such tick. Sites
/// whose control ticks δt differ have no common lines: then one file per site, `x.csv`
/// becoming `x.<site>.csv`.
///
/// If the record has notes, `x.csv` has `x.notes.csv` beside it: time_s, step, node, who,
/// utc, text, file, sha256, one line per note; if sites state calibrations or specimens,
/// `x.calibration.csv` and `x.specimen.csv`.
///
/// @param run_dir  folder of the run
/// @param file     "-": standard output; to this, a device or a pipe no notes
/// @throws std::runtime_error with one sentence: no such folder or journal, no ticks, the
///         file cannot be written, the disk is full; no partial file is left
void export_csv(const std::string& run_dir, const std::string& file,
                const ExportOptions& options);

}  // namespace trestle::exports
