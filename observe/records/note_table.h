#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/types/note.h"
#include "observe/records/audit_table.h"

namespace trestle::records {

/// A note as a record has it.
struct RecordedNote {
  Note note;
  std::int64_t utc_ns = 0;  ///< when it was written, by the system's clock
  std::string who;
  std::string from;  ///< "operator channel", "terminal, after the end"
  std::string node;  ///< in whose record: "integrator", or a site's name
};

/// The notes of all nodes, by the step that they are about.
std::vector<RecordedNote> notes_of(const std::vector<AuditTable>& tables);

/// Notes as columns for exports, an entry per note.
struct NoteColumns {
  std::vector<double> time;  ///< of the step [s]
  std::vector<double> step;
  /// `node`, `who`, `utc`, `text`, `file`, `sha256`, `site`, `video_starts_s`: name of the
  /// column, and its texts.
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;
};

/// "12.3": time of the test in the first picture of the note's video [s]; empty: it has
/// none.
std::string video_starts_text(const Note& note);

NoteColumns note_columns(const std::vector<RecordedNote>& notes);

}  // namespace trestle::records
