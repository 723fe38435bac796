#pragma once

#include <string>

namespace trestle {

/// One thing that a person, or a peer in a person's name, did to a test.
struct AuditEntry {
  std::string who;   ///< user@host, or a node's name
  std::string from;  ///< "terminal", "operator channel", "bus: integrator", ...
  std::string what;  ///< armed, stopped, held, resumed, cleared, limit, override, ...
  std::string text;  ///< one sentence; may be empty
  bool operator==(const AuditEntry&) const = default;
};

}  // namespace trestle
