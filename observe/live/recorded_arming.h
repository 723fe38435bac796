#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/journal/audit_chain.h"

namespace trestle::live {

/// Who armed a test, and what was confirmed before, as its audit has it.
struct RecordedArming {
  std::vector<std::string> by;  ///< in the order in which they armed; empty: nobody yet
  std::int64_t utc_ns = 0;      ///< of the last one [ns since 1970]
  std::size_t confirmed = 0;    ///< items of the checklist
  std::string open;             ///< items that were open: "limits read; oil warm"
  std::string waived{};         ///< items that were waived, with reasons, as `open`
};

/// @param audit  of the integrator's record
RecordedArming recorded_arming(const std::vector<journal::AuditRecord>& audit);

}  // namespace trestle::live
