#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/recording.h"
#include "core/types/drive_in_force.h"
#include "core/types/interface_vector.h"
#include "core/types/message.h"
#include "core/types/step_range.h"
#include "site-servers/node/site_schema.h"

namespace trestle::site_node {

/// The record of a site about a session that was not ended.
struct InterruptedSession {
  SessionId session{};
  std::int64_t last_step = kInitialStep;    ///< its result is kept, or its state
  std::int64_t last_result = kInitialStep;  ///< that is kept
  std::int64_t in_doubt = kInitialStep;     ///< begun after that; −1: none
  std::vector<StepRange> missed;  ///< steps after the last result that are named so
  std::int64_t ticks = 0;         ///< drives written up to the last step
  std::string contract;
  std::optional<RecordedSession::State> state;  ///< of loop and simulated rig
  std::optional<DriveInForce> drive;            ///< that real equipment was given last
  /// The same where a later one may have been lost with the power: not to be relied on.
  std::optional<DriveInForce> older_drive;
  bool driven = false;                ///< real equipment may have been given a drive
  bool told = false;                  ///< `drive` by a person: it is not on record
  std::optional<AuditEntry> stopped;  ///< a person's command to end the test
  /// A person's command to hold it, on record. Its integrator may not know it yet.
  std::optional<AuditEntry> held;
  std::int64_t hold_number = 0;  ///< under which this process has told it; 0: not yet

  /// The rig may have moved for a step: an intent may be lost with the power.
  bool aimed() const noexcept { return last_step >= 0 || in_doubt >= 0 || older_drive; }
  /// The step in which it was cut off, or behind which.
  std::int64_t at_step() const noexcept { return std::max(last_step, in_doubt); }
  /// The rig may have moved since: what is known of its place is not to be relied on.
  void doubt_place() noexcept {
    if (drive) drive->measured.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
};

/// The streams that a site keeps of a session: intent before the actuators move for a step,
/// result and closing after, and its ticks; of real equipment each drive before it is
/// written, too. Rows are sized at set-up; nothing here allocates per step.
class SiteRecorder {
 public:
  explicit SiteRecorder(const Recording& recording) : recording_(recording) {}

  /// The session that was cut off, if it can be resumed.
  /// @param simulated  a rig that goes back to the state that was kept of it; else it
  /// stands
  ///                   where its last drive left it
  /// Why a session that was asked for is not found.
  struct NoSession {
    std::optional<std::int64_t> ended = {};  ///< its record is closed: the last step
    std::string missing = {};                ///< as RecordStore::missing()
  };
  /// @param asked  this session, whatever was begun after it; none: that begun last
  /// @param none  receives why there is none; null: not wanted
  std::optional<InterruptedSession> find_interrupted_session(
      bool simulated, std::optional<SessionId> asked = std::nullopt,
      NoSession* none = nullptr);
  /// Ends the record of a session that was cut off: from now on it is not found any longer.
  /// Nothing of it is removed. The disk may take its end later: closing().
  /// @throws std::runtime_error  it cannot be ended; nothing changed
  void set_aside(const SessionId& session, const AuditEntry& why);

  /// @throws std::runtime_error  the record cannot be kept
  void open(const Configure& configure, const SiteSchema& schema,
            const std::string& contract, const std::string& software);
  /// Reopens the record of `past` and appends to it. For a simulated rig, rows after its
  /// saved state are dropped, and their steps are executed again.
  void reopen(const Configure& configure, const SiteSchema& schema,
              const InterruptedSession& past, bool simulated);

  /// Records the intent of a step. A repeated step is recorded already; one that comes
  /// after a later one is recorded as an event. @returns false if the row was lost
  bool intent(const StepCommand& command);
  /// @param ticks  drives written up to here
  bool result(const StepResponse& response, std::int64_t ticks) noexcept;
  /// Records the end of a step of which nothing was executed, while time passed, or of the
  /// initial measurement, with 0 ticks.
  bool closing_row(const StepResponse& response, std::int64_t ticks) noexcept;
  /// Returns true if the record stores states; otherwise state() is not needed.
  bool keeps_state() const noexcept { return open_ && recording_.states.keeps_state(); }
  /// Loop and rig as they are after this step.
  void state(std::int64_t step, std::span<const double> values) noexcept;
  /// The answer to a step before the last, as it was given.
  /// @returns false if the record does not hold it
  /// @param readable  whether it could be read: the disk may be too slow. Null: not asked
  bool stored(std::int64_t step, StepResponse& response, bool* readable = nullptr);

  /// @param leaves  room for this number of further events
  /// @returns false if the record has no more room than that: nothing was recorded
  bool event(std::int64_t step, const std::string& kind, const std::string& text,
             std::size_t leaves = 0);
  void audit(const AuditEntry& entry);
  /// Even after the session's end, or after a restart into a session that was cut off: its
  /// record is opened once more for it. To open a record waits for the disk several times,
  /// and a person waits for the answer: that of a session that was cut off stays open.
  /// @returns why it is on no record, or nothing
  /// @param session  that was cut off, where another one was found last; all zero: it
  std::string audit_after_close(const AuditEntry& entry, const SessionId& session = {});
  /// Writes what audit_after_close() has kept while the disk was behind. Each tick.
  std::string write_late_audit();
  std::string audit_digest() const { return open_ ? recording_.log.audit_digest() : ""; }
  void close();
  /// Returns the file that is still written after close(); empty: none.
  std::string closing() const { return recording_.store.closing(); }

  /// Requests that all rows so far survive a loss of power.
  std::uint64_t request_sync() noexcept {
    return open_ ? recording_.durability.request_sync() : 0;
  }
  bool is_durable(std::uint64_t ticket) const noexcept {
    return !open_ || recording_.durability.is_durable(ticket);
  }

  RowSink* ticks() const noexcept { return ticks_; }
  RowSink* drives() const noexcept { return drives_; }
  /// Records a drive that a person stated, as if it had been written with this number of
  /// drives before it.
  bool keep_told(const DriveInForce& drive, std::int64_t ticks);
  bool failed() const noexcept { return open_ && recording_.durability.failed(); }
  std::string error_message() const { return recording_.durability.error_message(); }

 private:
  InterfaceVector& wanted(std::int64_t step) noexcept;
  void write_out_of_order_target(const StepCommand& command);
  void prepare(const SessionId& session, const SiteSchema& schema);
  RecordStreams streams() const;
  void begin(const std::vector<RowSink*>& sinks, std::int64_t last);

  Recording recording_;
  SessionId session_{};  ///< that was open last, in this life or the one before
  bool open_ = false;
  std::optional<SiteSchema> schema_;  ///< of the session that was open last
  RowSink* intent_ = nullptr;
  RowSink* result_ = nullptr;
  RowSink* closing_ = nullptr;
  RowSink* ticks_ = nullptr;
  RowSink* drives_ = nullptr;
  std::int64_t intended_ = kInitialStep;  ///< kept last
  /// First and last of steps before that whose intent was not kept.
  std::vector<std::pair<std::int64_t, std::int64_t>> passed_over_;
  std::vector<InterfaceVector> wanted_;  ///< targets of the last steps: a ring
  std::vector<double> intent_row_;
  std::vector<double> result_row_;
  std::vector<double> closing_row_;
  std::vector<AuditEntry> late_audit_;
  bool late_open_ = false;  ///< the record of a session that was cut off, for audits alone
  std::vector<SessionId> aside_;           ///< that were set aside in this life
  std::unique_ptr<RecordedSession> past_;  ///< for answers that are asked for again
};

}  // namespace trestle::site_node
