#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/session/calibration.h"
#include "observe/records/run_record.h"

namespace trestle::records {

/// The measuring channels of one site of a run, from its session contract.
struct RecordedCalibrations {
  std::string site;
  std::vector<session::ChannelCalibration> channels;
  /// Channels of real equipment for which none is stated: "1.force", "load cell 1".
  std::vector<std::string> missing;
};

/// Reads the calibrations of a session contract.
RecordedCalibrations calibrations_of(const std::string& site, const std::string& contract);

/// Reads the calibrations of all sites of a run from the integrator's record, in the order
/// of the test. A site without a contract has none.
std::vector<RecordedCalibrations> calibrations_of(const journal::JournalReader& integrator);

/// Returns a sentence for each fact that differs in `after`, and for a site that only one
/// of them has calibrations of.
std::vector<std::string> calibration_changes(
    const std::vector<RecordedCalibrations>& before,
    const std::vector<RecordedCalibrations>& after);

/// Returns the calibrations as columns of texts for exports: name of the column, and a text
/// per channel: `site`, `channel`, then session::kCalibrationFacts. A missing one is a row
/// without facts. Empty if no site states or misses one.
std::vector<std::pair<std::string, std::vector<std::string>>> calibration_columns(
    const std::vector<RecordedCalibrations>& sites);

}  // namespace trestle::records
