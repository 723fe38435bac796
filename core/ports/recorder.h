#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/ports/recorded_session.h"
#include "core/ports/row_sink.h"
#include "core/types/audit_entry.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle {

using RecordMetadata = std::vector<std::pair<std::string, std::string>>;  ///< key, value

/// Records a session: the streams of rows, the newest whole state, the events and the
/// audit.
///
/// Thread: the one that drives the node. open(), reopen(), open_session() and close() are
/// set-up and may block. failed(), save_state(), request_sync() and is_durable() are for
/// every step: they do not block.
class Recorder {
 public:
  /// Name and channels of each stream.
  using Streams = std::vector<std::pair<std::string, Channels>>;

  virtual ~Recorder() = default;

  /// Begins the record of a session with these facts and streams. When it returns, they
  /// survive a loss of power.
  /// @returns one sink per stream, in the same order, valid until close()
  /// @throws std::runtime_error with the reason if the record cannot be written
  virtual std::vector<RowSink*> open(const SessionId& session, const RecordMetadata& facts,
                                     const Streams& streams) = 0;

  /// Reopens the record of an interrupted session and appends to it. Does not change its
  /// facts. The third argument holds one index per stream: rows with a higher index are
  /// removed.
  /// @throws std::runtime_error with the reason if the record cannot be written or does not
  /// exist
  virtual std::vector<RowSink*> reopen(const SessionId& /*session*/,
                                       const Streams& /*streams*/,
                                       std::span<const std::int64_t> /*last*/) {
    throw std::runtime_error("this record cannot be gone on with");
  }

  /// Returns the record of this session, also that of an earlier process; null if none
  /// exists. While the session is open, it contains all rows pushed so far.
  virtual std::unique_ptr<RecordedSession> open_session(const SessionId& /*session*/) {
    return nullptr;
  }

  /// Returns the unfinished session that was begun last.
  virtual std::optional<SessionId> find_interrupted() { return std::nullopt; }

  /// Returns true if a record of this session exists and is unfinished.
  virtual bool is_unfinished(const SessionId& session) {
    return find_interrupted() == session;
  }

  /// Returns true if save_state() keeps its argument; otherwise the caller need not make a
  /// state.
  virtual bool keeps_state() const noexcept { return true; }

  /// Copies the whole state of the node after this step; it replaces the state kept before.
  /// Rows pushed before it are at least as safe as the state. Does not block, and allocates
  /// only in the first call of a session.
  virtual void save_state(std::int64_t /*step*/,
                          std::span<const double> /*state*/) noexcept {}

  /// Requests that all rows pushed so far survive a loss of power. Does not wait for it.
  /// @returns a ticket for is_durable()
  virtual std::uint64_t request_sync() noexcept { return 0; }
  /// Returns true when the rows of this ticket survive a loss of power.
  virtual bool is_durable(std::uint64_t /*ticket*/) const noexcept { return true; }

  /// Records a change of state or a fault. Never blocks; may be called during a run.
  virtual void event(std::int64_t step, const std::string& kind,
                     const std::string& text) = 0;

  /// Records a command of a person. Never blocks.
  virtual void audit(const AuditEntry& /*entry*/) {}
  /// Returns the digest of all audit entries of this session, in order: hexadecimal; empty
  /// if none.
  virtual std::string audit_digest() const { return {}; }

  /// Waits until many more rows have room. For a runner that may wait between two ticks.
  /// @returns false if the record can no longer be written, or after `at_most`
  virtual bool wait_for_space(Duration at_most) = 0;

  /// Returns true if the record can no longer be written.
  virtual bool failed() const noexcept = 0;
  /// Returns the reason in one sentence. @pre failed()
  virtual std::string error_message() const = 0;

  /// Writes all pushed rows and marks the session as finished. No sink may be used after
  /// it. A recorder that is destroyed without close() leaves the session unfinished.
  virtual void close() = 0;
};

}  // namespace trestle
