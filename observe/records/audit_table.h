#pragma once

#include <string>
#include <vector>

#include "core/journal/audit_chain.h"

namespace trestle {

/// Who did what to a test, as one node's journal has it.
struct AuditTable {
  std::string file;  ///< inside the folder
  std::string node;  ///< "integrator", or the site's name
  std::string test;
  std::string session;  ///< 32 hexadecimal digits
  AuditVerification verdict;
  /// Why it cannot be believed; empty: it can.
  std::vector<std::string> problems;
};

/// Of all journals in a folder and in the folders right below it, sorted by file. A chain
/// must hold by itself, and the digests that peers of the same session noted of it must be
/// in it: so entries that were taken off its end are missed, too.
/// @throws std::runtime_error where there is no such folder, or no journal in it
std::vector<AuditTable> audit_tables(const std::string& folder);

}  // namespace trestle
