#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ports/recorded_session.h"
#include "core/ports/row_sink.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle {

/// Stores the records of sessions: one per session, with its streams of rows.
///
/// Thread: the one that drives the node. All verbs are set-up and may block.
class RecordStore {
 public:
  virtual ~RecordStore() = default;

  /// Begins the record of a session with these facts and streams. When it returns, they
  /// survive a loss of power.
  /// @returns one sink per stream, in the same order, valid until close()
  /// @throws std::runtime_error with the reason if the record cannot be written
  virtual std::vector<RowSink*> open(const SessionId& session, const RecordMetadata& facts,
                                     const RecordStreams& streams) = 0;

  /// Opens the record of an interrupted session again and appends to it. Does not change
  /// its facts.
  /// @param last  one index per stream: rows with a higher index are removed
  /// @throws std::runtime_error with the reason if the record cannot be written or does not
  /// exist
  virtual std::vector<RowSink*> resume(const SessionId& session,
                                       const RecordStreams& streams,
                                       std::span<const std::int64_t> last) = 0;

  /// Returns the record of this session, also that of an earlier process; null if none
  /// exists. While the session is open, it contains all rows pushed so far.
  virtual std::unique_ptr<RecordedSession> open_session(const SessionId& session) = 0;

  /// Returns the unfinished session that was begun last.
  virtual std::optional<SessionId> find_interrupted() = 0;
  /// Returns true if a record of this session exists and is unfinished.
  virtual bool is_unfinished(const SessionId& session) = 0;
  /// Returns which file of this session's record is not there, and what is left of it: part
  /// of a sentence. Empty: it is there, or the store has no files.
  virtual std::string missing(const SessionId& /*session*/) const { return {}; }

  /// Writes all pushed rows and marks the session as finished. No sink may be used after
  /// it. A store that is destroyed without close() leaves the session unfinished. The store
  /// may still write when this returns: see closing().
  virtual void close() = 0;
  /// Returns the file that the store still writes after close(); empty: none. Never waits.
  virtual std::string closing() const = 0;
};

}  // namespace trestle
