#include "observe/live/recorded_arming.h"

#include <algorithm>

#include "core/session/audit_actions.h"

namespace trestle::live {

RecordedArming recorded_arming(const std::vector<journal::AuditRecord>& audit) {
  RecordedArming arming;
  for (const journal::AuditRecord& record : audit) {
    const AuditEntry& entry = record.entry;
    if (entry.what == session::audit_what::kConfirmed) ++arming.confirmed;
    if (entry.what == session::audit_what::kUnconfirmed) arming.open = entry.text;
    if (entry.what != session::audit_what::kArmed) continue;
    // One entry a site: the person is the same.
    arming.utc_ns = record.utc_ns;
    if (std::find(arming.by.begin(), arming.by.end(), entry.who) == arming.by.end())
      arming.by.push_back(entry.who);
  }
  return arming;
}

}  // namespace trestle::live
