#pragma once

#include <string>
#include <vector>

#include "core/journal/audit_chain.h"

namespace trestle::live {

/// Who wrote a note: the event of a note has its text alone, the audit has the person.
/// @param text  of the event
/// @returns user@host of the newest note with this text; empty: there is none
std::string note_author(const std::vector<journal::AuditRecord>& audit,
                        const std::string& text);

}  // namespace trestle::live
