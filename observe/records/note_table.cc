#include "observe/records/note_table.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/number_text.h"
#include "core/base/utc_text.h"
#include "core/session/audit_actions.h"
#include "core/session/note_text.h"

namespace trestle::records {

std::vector<RecordedNote> notes_of(const std::vector<AuditTable>& tables) {
  std::vector<RecordedNote> notes;
  for (const AuditTable& table : tables)
    for (const journal::AuditRecord& record : table.verdict.entries) {
      if (record.entry.what != session::audit_what::kNoted) continue;
      if (std::optional<Note> note = session::read_note(record.entry.text))
        notes.push_back({std::move(*note), record.utc_ns, record.entry.who,
                         record.entry.from, table.node});
    }
  std::stable_sort(notes.begin(), notes.end(),
                   [](const RecordedNote& one, const RecordedNote& other) {
                     return std::tie(one.note.time, one.utc_ns) <
                            std::tie(other.note.time, other.utc_ns);
                   });
  return notes;
}

std::string video_starts_text(const Note& note) {
  return note.video_starts ? format_number(*note.video_starts) : "";
}

NoteColumns note_columns(const std::vector<RecordedNote>& notes) {
  NoteColumns columns;
  for (const char* name :
       {"node", "who", "utc", "text", "file", "sha256", "site", "video_starts_s"})
    columns.texts.push_back({name, {}});
  for (const RecordedNote& one : notes) {
    columns.time.push_back(one.note.time);
    columns.step.push_back(static_cast<double>(one.note.step));
    std::size_t column = 0;
    for (const std::string& text :
         {one.node, one.who, utc_text(one.utc_ns), one.note.text, one.note.file,
          one.note.sha256, one.note.site, video_starts_text(one.note)})
      columns.texts[column++].second.push_back(text);
  }
  return columns;
}

}  // namespace trestle::records
