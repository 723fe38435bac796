#pragma once

#include <string>
#include <vector>

#include "core/journal/audit_chain.h"

namespace trestle::records {

/// The commands of people in a test, from one node's journal.
struct AuditTable {
  std::string file;  ///< inside the folder
  std::string node;  ///< "integrator", or the site's name
  std::string test;
  std::string session;  ///< 32 hexadecimal digits
  journal::AuditVerification verdict;
  /// Why it cannot be believed; empty: it can.
  std::vector<std::string> problems;
};

/// Returns the tables of all journals in a folder and directly below it, sorted by file.
/// Each chain must be intact and contain the digests that peers of the same session
/// recorded of it, so entries that were removed at its end are detected, too.
/// @throws std::runtime_error if the folder does not exist or contains no journal
std::vector<AuditTable> audit_tables(const std::string& folder);

}  // namespace trestle::records
