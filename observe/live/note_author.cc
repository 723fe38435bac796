#include "observe/live/note_author.h"

#include <optional>

#include "core/session/audit_actions.h"
#include "core/session/note_text.h"

namespace trestle::live {

std::string note_author(const std::vector<journal::AuditRecord>& audit,
                        const std::string& text, std::size_t before) {
  for (const journal::AuditRecord& record : audit) {
    if (record.entry.what != session::audit_what::kNoted) continue;
    const std::optional<Note> note = session::read_note(record.entry.text);
    if (note && note->text == text && before-- == 0) return record.entry.who;
  }
  return {};
}

}  // namespace trestle::live
