#pragma once

#include <optional>
#include <vector>

#include "core/types/audit_entry.h"

namespace trestle::session {

/// Returns a person's command to end the test, which no resume and no person's hold
/// follows: the process that
/// received it died before the test was at its end. A test that was set aside at a site is
/// none.
/// @param audit  of a record that is not closed, in its order
std::optional<AuditEntry> stop_on_record(const std::vector<AuditEntry>& audit);

/// Returns the last `trestle hold` at this node which its integrator has not heard, as far
/// as the record knows: no resume, no arming and no answer follows it. A signal that ends
/// the node holds the rig, too, and is none.
/// @param audit  as of stop_on_record()
std::optional<AuditEntry> hold_on_record(const std::vector<AuditEntry>& audit);

/// Returns the last hold by a person at a site, as its integrator has recorded it, which no
/// resume and no arming follows. A server of a site that a person ends is none.
/// @param audit  as of stop_on_record(), of an integrator
std::optional<AuditEntry> site_hold_on_record(const std::vector<AuditEntry>& audit);

}  // namespace trestle::session
