#pragma once

#include <cstdint>
#include <string>

#include "core/types/audit_entry.h"

namespace trestle {

/// What happens in the session that is open, in words. Where none is open, nothing is kept.
///
/// Thread: the one that drives the node. No verb blocks; all may be called during a run.
class RunLog {
 public:
  virtual ~RunLog() = default;

  /// Records a change of state or a fault.
  virtual void event(std::int64_t step, const std::string& kind,
                     const std::string& text) = 0;
  /// Records a command of a person.
  virtual void audit(const AuditEntry& entry) = 0;
  /// Returns the digest of all audit entries of this session, in order: hexadecimal; empty
  /// if none.
  virtual std::string audit_digest() const = 0;
};

}  // namespace trestle
