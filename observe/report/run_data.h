#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal_event.h"
#include "observe/records/audit_table.h"
#include "observe/records/calibration_table.h"
#include "observe/records/note_table.h"
#include "observe/records/run_record.h"
#include "observe/records/specimen_table.h"
#include "observe/records/tick_times.h"
#include "observe/report/contract_reader.h"
#include "observe/report/long_record.h"
#include "observe/report/read_bounds.h"
#include "observe/report/stream_table.h"

namespace trestle::report {

/// One actuator or one interface DOF as the integrator recorded it, a value per step.
/// Pointers lead into RunData::result; null: the record does not have the column.
struct MotionSignals {
  std::string name;  ///< "1", "floor_w.x"
  std::string unit;  ///< "m" or "rad"
  std::string force_unit;
  const std::vector<double>* target = nullptr;
  const std::vector<double>* command = nullptr;  ///< of an actuator only
  const std::vector<double>* measured = nullptr;
  const std::vector<double>* force = nullptr;
  double initial_measured = 0.0;  ///< before the first step
  double initial_force = 0.0;
};

struct RecordedSiteData {
  std::string name;
  ContractReader contract;
  std::string contract_text;
  std::vector<MotionSignals> interface;
  std::vector<MotionSignals> actuators;
  StreamTable ticks;  ///< of the site's own journal; no rows: it is not in the folder
  records::TickTimes tick_times;  ///< of `ticks` in the test
  double rig_tick_s = 0.0;        ///< time from tick to tick on the rig's clock [s]
  /// Of all ticks of a long record; empty: `ticks` has all.
  records::StreamEnvelope tick_envelope;
};

/// A file of the record, and what it holds.
struct RecordedFile {
  std::string name;
  std::string node;
  std::int64_t rows = 0;
  std::string digest;       ///< SHA-256 of the file
  std::string rows_digest;  ///< SHA-256 of the rows of all streams
  // Both digests are empty in a long record.
  bool finished = false;  ///< its session ended
};

/// All that a report says of one run, read once. Nothing is written to the record.
///
/// Of a long record (ReadBounds) `result` and the `ticks` of a site hold a window of rows,
/// `ledger` stretches of them, and `outline` and `tick_envelope` the whole test.
struct RunData {
  /// @throws std::runtime_error as RunRecord
  explicit RunData(const std::string& run_folder, const ReadBounds& bounds = {});
  RunData(const RunData&) = delete;
  RunData& operator=(const RunData&) = delete;

  std::string meta(const std::string& key) const;

  /// Times of the rows of `result` [s].
  const std::vector<double>& time() const noexcept { return time_; }
  /// Steps of the whole test.
  std::int64_t steps() const noexcept { return steps_; }
  /// Whether `result` is a window of the test.
  bool is_window() const noexcept { return !outline.result.empty(); }
  /// Time of the last step [s]; 0 of none.
  double end_time() const noexcept;
  std::int64_t steps_planned() const;
  bool ended() const { return !meta("ended_utc_ns").empty(); }

  std::string folder;                        ///< of the run
  std::map<std::string, std::string> facts;  ///< meta of the integrator's journal
  double time_step = 0.0;                    ///< [s]
  StreamTable result;
  StreamTable ledger;
  RecordOutline outline;
  std::vector<RecordedSiteData> sites;
  std::vector<std::string> missing_sites;     ///< sites whose journal is not in the folder
  std::vector<journal::JournalEvent> events;  ///< of all journals, by time
  std::vector<records::AuditTable> audits;
  std::vector<records::RecordedNote> notes;  ///< by the step that they are about
  std::vector<records::RecordedCalibrations> calibrations;  ///< in the order of the test
  std::vector<records::RecordedSpecimen> specimens;  ///< of those sites that state one
  std::vector<RecordedFile> files;
  std::optional<nlohmann::ordered_json> summary;  ///< summary.json of this very record
  std::string effective;                          ///< effective.yaml; empty: none

 private:
  void read_streams(const journal::JournalReader& integrator, const ReadBounds& bounds);
  void read_sites(const records::RunRecord& run, const ReadBounds& bounds);
  void read_ticks(const journal::JournalReader& journal, RecordedSiteData& site,
                  const ReadBounds& bounds) const;
  void read_initial(const journal::JournalReader& integrator);
  void read_texts();

  std::vector<double> time_;
  std::int64_t steps_ = 0;
};

}  // namespace trestle::report
