#include "observe/live/recorded_acts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/session/audit_actions.h"

namespace trestle::live {
namespace {

namespace what = session::audit_what;

constexpr std::array<std::string_view, 5> kActs{what::kArmed, what::kHeld, what::kResumed,
                                                what::kStopped, what::kCleared};

/// Which contract it was, and from which step on, is of no use to the one who watches.
bool has_reason(std::string_view act) {
  return act != what::kArmed && act != what::kResumed;
}

/// Arming has an entry for each site and person: all of them are one word of each.
RecordedAct* armed_by(std::vector<RecordedAct>& acts, std::string_view who) {
  for (auto act = acts.rbegin(); act != acts.rend() && act->what == what::kArmed; ++act)
    if (act->who == who) return &*act;
  return nullptr;
}

}  // namespace

std::vector<RecordedAct> recorded_acts(const std::vector<journal::AuditRecord>& audit) {
  std::vector<RecordedAct> acts;
  for (const journal::AuditRecord& record : audit) {
    const AuditEntry& entry = record.entry;
    // A node that acts by itself has no host behind its name.
    if (entry.who.find('@') == std::string::npos ||
        std::find(kActs.begin(), kActs.end(), entry.what) == kActs.end())
      continue;
    RecordedAct act{entry.what, entry.who, entry.from,
                    has_reason(entry.what) ? entry.text : std::string(), record.utc_ns};
    RecordedAct* const same = act.what == what::kArmed ? armed_by(acts, act.who) : nullptr;
    if (same != nullptr)
      same->utc_ns = act.utc_ns;
    else
      acts.push_back(std::move(act));
  }
  return acts;
}

}  // namespace trestle::live
