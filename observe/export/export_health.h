#pragma once

#include <string>

namespace trestle::exports {

/// Writes what the sites of a run reported with their heartbeats as CSV: a row per
/// heartbeat, `heartbeat` (its number), then the channels of stream `health`
/// (docs/reference/journal-format.md tells each). A cell is empty if the heartbeat is of
/// another site, or did not report the value.
///
/// @param run_dir  folder of the run
/// @param file     "-": standard output
/// @throws std::runtime_error with one sentence: no such folder or journal, a record
///         without the stream, the file cannot be written; no partial file is left
void export_health(const std::string& run_dir, const std::string& file);

}  // namespace trestle::exports
