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
#include "core/ports/recollection.h"
#include "core/ports/step_sink.h"
#include "core/types/audit_entry.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle {

using RecordFacts = std::vector<std::pair<std::string, std::string>>;  ///< key, value

/// Keeps what a node must not lose: the streams of rows, the newest whole state, the events
/// and the audit of a session.
///
/// open(), reopen(), recall() and close() are set-up and may take their time; failed(),
/// keep_state(), secure() and secured() are cheap and for every step.
class Recorder {
 public:
  using Streams = std::vector<std::pair<std::string, Channels>>;

  virtual ~Recorder() = default;

  /// Begins the record of a session, with these facts, and one stream per name. So much of
  /// it survives power loss from then on.
  /// @returns one sink per stream, in the same order, alive until close()
  /// @throws std::runtime_error where the record cannot be kept; the sentence says why
  virtual std::vector<StepSink*> open(const SessionId& session, const RecordFacts& facts,
                                      const Streams& streams) = 0;

  /// Goes on with the record of a session that was cut off. Facts are not changed.
  /// @param last  per stream: rows with a higher index are no longer of it; recall() knows
  ///              what is there
  /// @throws std::runtime_error as open(), and where there is no such record
  virtual std::vector<StepSink*> reopen(const SessionId& /*session*/,
                                        const Streams& /*streams*/,
                                        std::span<const std::int64_t> /*last*/) {
    throw std::runtime_error("this record cannot be gone on with");
  }

  /// What is kept of this session, by this life of the node or one before; null: nothing.
  /// While the session is open what was pushed so far is in it.
  virtual std::unique_ptr<Recollection> recall(const SessionId& /*session*/) {
    return nullptr;
  }

  /// Of the sessions that were never brought to their end, the one whose record was begun
  /// last.
  virtual std::optional<SessionId> unfinished() { return std::nullopt; }

  /// There is a record of this session, and it was never brought to its end.
  virtual bool is_unfinished(const SessionId& session) { return unfinished() == session; }

  /// What keep_state() is given is kept: else nobody need make it.
  virtual bool keeps_state() const noexcept { return true; }

  /// The newest whole state of the node, as it is after this step; those before are
  /// forgotten. Everything that was pushed before is at least as safe as it is. Copies;
  /// neither waits nor allocates after the first call of a session.
  virtual void keep_state(std::int64_t /*step*/,
                          std::span<const double> /*state*/) noexcept {}

  /// Asks for all that was pushed so far to survive power loss, and goes on at once.
  /// @returns a ticket for secured()
  virtual std::uint64_t secure() noexcept { return 0; }
  virtual bool secured(std::uint64_t /*ticket*/) const noexcept { return true; }

  /// A change of state or a fault: may be called while the run goes on, never blocks.
  virtual void event(std::int64_t step, const std::string& kind,
                     const std::string& text) = 0;

  /// Somebody armed, stopped, cleared, changed or overrode something: never blocks.
  virtual void audit(const AuditEntry& /*entry*/) {}
  /// Of all that audit() was told in this session, in order; hexadecimal, empty: nothing.
  virtual std::string audit_digest() const { return {}; }

  /// For a runner that may wait, between two ticks: until there is room for many more rows.
  /// @returns false where the record can no longer be kept, or `at_most` has passed
  virtual bool make_room(Duration at_most) = 0;

  /// The record can no longer be kept.
  virtual bool failed() const noexcept = 0;
  /// Why, in one sentence. @pre failed()
  virtual std::string failure() const = 0;

  /// The session was brought to its end: writes out all that was pushed, and says so. No
  /// sink may be used after it. (A recorder that is destroyed without it leaves the session
  /// unfinished.)
  virtual void close() = 0;
};

}  // namespace trestle
