#include "observe/records/note_table.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

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

}  // namespace trestle::records
