#pragma once

#include <cstdint>
#include <string>

#include "core/journal/journal_reader.h"
#include "observe/records/run_record.h"
#include "observe/records/stream_envelope.h"
#include "observe/report/read_bounds.h"
#include "observe/report/stream_table.h"

namespace trestle::report {

/// What a report has of a record that is too long to be held whole.
struct RecordOutline {
  bool is_long = false;
  /// Of the whole test; empty: RunData::result has all its rows.
  records::StreamEnvelope result;
  std::string window_of;         ///< the column around whose largest value the rows are
  std::int64_t ledger_rows = 0;  ///< of which RunData::ledger has samples; 0: it has all
};

/// A stream of a long record: all rows if it is short, otherwise a window of them and the
/// envelope of the whole.
struct PartOfStream {
  StreamTable rows;
  records::StreamEnvelope envelope;  ///< empty: `rows` are all
  std::string window_of;             ///< column whose largest value is in the window
};

/// The numbers of all rows that a report would hold in memory.
std::int64_t reported_values(const records::RunRecord& run);

/// Whether a stream of a long record is held whole.
bool is_short_stream(const journal::JournalReader& journal, const std::string& stream,
                     const ReadBounds& bounds);

/// The window is about the row in which the first target, or else the first column, has its
/// largest magnitude.
PartOfStream read_part(const journal::JournalReader& journal, const std::string& stream,
                       const ReadBounds& bounds);

/// Stretches of rows, evenly over the whole stream.
StreamTable read_samples(const journal::JournalReader& journal, const std::string& stream,
                         const ReadBounds& bounds);

}  // namespace trestle::report
