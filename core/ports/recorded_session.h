#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/types/audit_entry.h"
#include "core/types/record.h"

namespace trestle {

/// Reads what a node's record holds of one session: after a restart, or to repeat a
/// response.
///
/// Thread: the one that drives the node. Not on the step path: it reads files.
class RecordedSession {
 public:
  /// Index that last() returns if the stream has no row.
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  /// The newest whole state of the node.
  struct State {
    std::int64_t step = 0;       ///< the state is the one after this step
    std::vector<double> values;  ///< as a snapshot wrote it
  };

  virtual ~RecordedSession() = default;

  /// Returns the value of a fact of the record; empty if it has none of this key.
  virtual std::string fact(const std::string& key) const = 0;
  /// Returns the channels of a stream; empty if there is no such stream.
  virtual Channels channels(const std::string& stream) const = 0;
  /// Returns the index of the last row of a stream, or kNone.
  virtual std::int64_t last(const std::string& stream) const = 0;
  /// Reads one row. Rows in ascending order are quickest.
  /// @returns false if the row does not exist
  virtual bool row(const std::string& stream, std::int64_t index,
                   std::vector<double>& into) = 0;
  /// Returns the newest whole state; empty if the record has none.
  virtual std::optional<State> state() const = 0;
  /// Returns true if no written row is missing. After a loss of power it returns false: the
  /// last rows may be older than the last event.
  virtual bool whole() const = 0;
  /// Returns the texts of the events of this kind, in the order in which they were
  /// recorded.
  virtual std::vector<std::string> events(const std::string& kind) const = 0;
  /// Returns the audit, in the order in which it was recorded.
  virtual std::vector<AuditEntry> audits() const = 0;
};

}  // namespace trestle
