#include "core/session/stop_on_record.h"

#include "core/session/audit_actions.h"
#include "core/types/record_names.h"

namespace trestle::session {

namespace {

/// Of a person at this node, or, on the record of an integrator, at a site.
bool is_persons_hold(const AuditEntry& entry) {
  return entry.what == audit_what::kHeld &&
         (entry.from == kOperatorChannel ||
          (entry.from.starts_with("bus: ") &&
           entry.text.starts_with("held by " + entry.who)));
}

}  // namespace

std::optional<AuditEntry> stop_on_record(const std::vector<AuditEntry>& audit) {
  std::optional<AuditEntry> stop;
  for (const AuditEntry& entry : audit) {
    if (entry.what == audit_what::kResumed || is_persons_hold(entry)) stop.reset();
    if (entry.what == audit_what::kStopped && entry.who != kIntegratorNode &&
        entry.text != kSetAside)
      stop = entry;
  }
  return stop;
}

std::optional<AuditEntry> hold_on_record(const std::vector<AuditEntry>& audit) {
  std::optional<AuditEntry> hold;
  for (const AuditEntry& entry : audit) {
    if (entry.what == audit_what::kResumed || entry.what == audit_what::kArmed ||
        entry.what == audit_what::kHeard)
      hold.reset();
    if (entry.what == audit_what::kHeld && entry.from == kOperatorChannel) hold = entry;
  }
  return hold;
}

std::optional<AuditEntry> site_hold_on_record(const std::vector<AuditEntry>& audit) {
  std::optional<AuditEntry> hold;
  for (const AuditEntry& entry : audit) {
    if (entry.what == audit_what::kResumed || entry.what == audit_what::kArmed)
      hold.reset();
    if (is_persons_hold(entry) && entry.from != kOperatorChannel) hold = entry;
  }
  return hold;
}

}  // namespace trestle::session
