#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/journal/audit_chain.h"

namespace trestle::live {

/// What a person did to a test, as its audit has it.
struct RecordedAct {
  std::string what;  ///< "armed", "held", "resumed", "stopped" or "cleared"
  std::string who;   ///< user@host
  std::string from;  ///< "operator channel", "terminal", "bus: west"
  std::string text;  ///< reason, or fault; empty: none was said
  std::int64_t utc_ns =
      0;  ///< of the last entry, if several sites have one [ns since 1970]
  bool operator==(const RecordedAct&) const = default;
};

/// Returns the acts of people that let rigs move or brought them to rest, oldest first; not
/// those that a node did by itself.
/// @param audit  of one record
std::vector<RecordedAct> recorded_acts(const std::vector<journal::AuditRecord>& audit);

}  // namespace trestle::live
