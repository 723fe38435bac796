#pragma once

#include <string>
#include <vector>

#include "core/types/audit_entry.h"

namespace trestle::integrator_node {

/// Returns the words of a person's command to end a test that no resume follows, such as
/// "stopped by ada@lab: a leak"; empty: the record has none.
/// @param audit  of a record that is not closed, in its order
std::string recorded_stop(const std::vector<AuditEntry>& audit);

}  // namespace trestle::integrator_node
