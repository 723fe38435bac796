#pragma once

#include <string>

namespace trestle::exports {

/// Writes the delay ledger of a run as CSV: a row per step and site, in the order of the
/// test,
///
///   step, site, i0_ns, i1_ns, i2_ns, s1_ns, s2_ns, s3_ns, s4_ns, s5_ns, i3_ns, ij_ns,
///   i4_ns, clock_bound_ns
///
/// in whole nanoseconds of session time (docs/reference/journal-format.md tells each). A
/// cell is empty if the site was missed. The differences from stamp to stamp, of a
/// missed site from i2 to ij, add up to i4 − i0.
///
/// @param run_dir  folder of the run
/// @param file     "-": standard output
/// @throws std::runtime_error with one sentence: no such folder or journal, a run that
/// keeps
///         no ledger, the file cannot be written; no partial file is left
void export_ledger(const std::string& run_dir, const std::string& file);

}  // namespace trestle::exports
