#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "core/types/audit_entry.h"

namespace trestle {

/// Records the events of the open session as text. Stores nothing if no session is open.
///
/// Thread: the one that drives the node. No verb blocks; all may be called during a run.
class RunLog {
 public:
  virtual ~RunLog() = default;

  /// Records a change of state or a fault.
  virtual void event(std::int64_t step, const std::string& kind,
                     const std::string& text) = 0;
  /// Returns how many events can be recorded now without a loss. An event that can wait
  /// leaves room for those that cannot.
  virtual std::size_t room_for_events() const noexcept = 0;
  /// The room of a log that has no bound.
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();
  /// Records a command of a person.
  virtual void audit(const AuditEntry& entry) = 0;
  /// Returns the digest of all audit entries of this session, in order: hexadecimal; empty
  /// if none.
  virtual std::string audit_digest() const = 0;
};

}  // namespace trestle
