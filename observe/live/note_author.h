#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/journal/audit_chain.h"

namespace trestle::live {

/// Who wrote a note: the event of a note has its text alone, the audit has the person.
/// @param text    of the event
/// @param before  notes with the same text before it: two persons may write the same
/// @returns user@host; empty: the audit has no such note
std::string note_author(const std::vector<journal::AuditRecord>& audit,
                        const std::string& text, std::size_t before);

}  // namespace trestle::live
