#pragma once

#include <string>
#include <vector>

#include "core/types/audit_entry.h"

namespace trestle::composition {

/// What a person did to a rig since its last test: no record has it yet.
struct PendingAct {
  std::string rig;   ///< its place, or the folder of a simulated rig's record
  std::string utc;   ///< "2026-11-27T09:12:03.120Z"
  AuditEntry entry;  ///< without the time
};

/// Returns the acts of all rigs that a process of this host drove for `where`, by rig, each
/// oldest first. The next test takes them over into its record; a caller that reads the
/// records, too, does so afterwards, so that no act is in neither. Waits for the disk.
/// @param where  the site's name, or the folder of its records
/// @throws std::runtime_error  a diary is there and cannot be read
std::vector<PendingAct> pending_acts(const std::string& where);

}  // namespace trestle::composition
