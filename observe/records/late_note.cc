#include "observe/records/late_note.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "core/base/journal_names.h"
#include "core/base/legible_text.h"
#include "core/base/time.h"
#include "core/journal/journal_reader.h"
#include "core/journal/late_entry.h"
#include "core/journal/record_standing.h"
#include "core/session/audit_actions.h"
#include "core/session/note_text.h"
#include "core/types/record_names.h"

namespace trestle::records {
namespace {

std::int64_t utc_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// What a note needs to know of the record.
struct RecordMetadata {
  std::int64_t last_step = -1;  ///< that was done
  double time_step = 0.0;       ///< [s]
  bool ended = false;           ///< its session came to its end
  std::vector<std::string> sites;
};

/// Closes the journal again: the entry needs it alone.
RecordMetadata metadata_of(const std::string& path) {
  const journal::JournalReader reader(path);
  RecordMetadata record;
  if (reader.has_stream(stream_name::kResult))
    record.last_step = reader.newest_index(stream_name::kResult).value_or(-1);
  record.time_step = reader.required_number(meta_key::kTimeStep);
  record.ended = reader.meta(meta_key::kEnded).has_value();
  std::istringstream names(reader.meta(meta_key::kSites).value_or(""));
  for (std::string name; std::getline(names, name, ',');) record.sites.push_back(name);
  return record;
}

}  // namespace

LateNote add_late_note(const std::string& folder, Note note, const std::string& who) {
  const std::string path = folder + "/" + kIntegratorJournal;
  // Brings in what a killed process had pushed and not written.
  const journal::RecordStanding standing = journal::standing_of_record(folder);
  using Kind = journal::RecordStanding::Kind;
  if (standing.kind == Kind::kUnknown || standing.kind == Kind::kBlocked)
    throw std::runtime_error(standing.why);
  if (standing.kind == Kind::kInUse)
    throw std::runtime_error("journal " + path +
                             " is being written by a process that does not answer; try "
                             "again, or end it first");
  const RecordMetadata record = metadata_of(path);
  if (note.step == Note::kNow) note.step = record.last_step;
  note.text = legible(note.text);
  if (std::string why = session::refusal_of_note(note, record.last_step); !why.empty())
    return {.refusal = std::move(why), .said = {}};
  if (std::string why = session::refusal_of_site(note, record.sites); !why.empty())
    return {.refusal = std::move(why), .said = {}};
  note.time = static_cast<double>(note.step) * record.time_step;
  const double shown = std::max(note.time, 0.0);
  journal::add_late_entry(
      path,
      session::audit_noted(
          who, record.ended ? "terminal, after the end" : "terminal, no process",
          session::note_text(note)),
      {.time = TimePoint{Duration{std::llround(shown * 1e9)}},
       .node = kIntegratorNode,
       .kind = "note",
       .text = note.text},
      utc_ns());
  return {.refusal = {},
          .said = "noted by " + who + " in " + path +
                  (record.ended ? " (after the end)" : " (no process runs the test)") +
                  ", at step " + std::to_string(note.step) + ": " + note.text};
}

}  // namespace trestle::records
