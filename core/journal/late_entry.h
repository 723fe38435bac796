#pragma once

#include <cstdint>
#include <string>

#include "core/journal/journal_event.h"
#include "core/types/audit_entry.h"

namespace trestle::journal {

/// Adds an act of a person, and the event that shows it, to a journal that no process
/// writes: its session ended, or its process did. The act continues the audit's chain; no
/// row and no earlier entry changes, and whether the session ended stays as it is. When the
/// function returns, both survive a loss of power.
/// @param utc_ns  now [ns since 1970]
/// @throws std::runtime_error with one sentence: a process writes the journal, it is none,
///         or it cannot be written
void add_late_entry(const std::string& journal, const AuditEntry& act,
                    const JournalEvent& event, std::int64_t utc_ns);

}  // namespace trestle::journal
