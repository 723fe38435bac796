#include "observe/live/recorded_arming.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/session/audit_actions.h"

namespace trestle::live {
namespace {

/// "oil warm" of "oil warm (2026-11-27T09:12:03.120Z)".
std::string item_of(const std::string& text) {
  return text.substr(0, text.rfind(" ("));
}

}  // namespace

RecordedArming recorded_arming(const std::vector<journal::AuditRecord>& audit) {
  RecordedArming arming;
  std::set<std::string> confirmed;
  // Since the word before: what a held test asks for again comes after the last one.
  std::set<std::string> since;
  std::string open;
  std::string waived;
  for (const journal::AuditRecord& record : audit) {
    const AuditEntry& entry = record.entry;
    if (entry.what == session::audit_what::kConfirmed) since.insert(item_of(entry.text));
    if (entry.what == session::audit_what::kUnconfirmed) open = entry.text;
    if (entry.what == session::audit_what::kWaived)
      waived += (waived.empty() ? "" : "; ") + entry.text;
    if (entry.what != session::audit_what::kArmed) continue;
    confirmed.merge(since);
    since.clear();
    if (!open.empty()) arming.open = std::exchange(open, {});
    if (!waived.empty()) arming.waived = std::exchange(waived, {});
    // One entry a site: the person is the same.
    arming.utc_ns = record.utc_ns;
    if (std::find(arming.by.begin(), arming.by.end(), entry.who) == arming.by.end())
      arming.by.push_back(entry.who);
  }
  arming.confirmed = confirmed.size();
  return arming;
}

}  // namespace trestle::live
