#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/journal/journal_writer.h"
#include "core/journal/revocable_call.h"
#include "core/ports/recorder.h"
#include "core/types/session_id_text.h"

namespace trestle::journal {

/// Default of the largest age of rows that a loss of power may destroy, in the modes with
/// the wall clock [s].
inline constexpr double kMaxUnsyncedAge = 0.1;

/// Longest single wait of a program in lock-step for space in its journal. Heartbeats wait
/// as long, so it is shorter than any watchdog. When it continues after this wait, half of
/// the rows still fit.
inline constexpr Duration kMaxSpaceWait = std::chrono::milliseconds(500);

/// Keeps a session's record in a journal: one database per session. All verbs belong to the
/// thread of the node, but for save_state(), request_sync(), is_durable() and failed(),
/// which may belong to its control thread.
///
/// Where a record was left unfinished, find_interrupted(), open_session(), resume() and
/// open() bring in what the process that was killed had not written yet
/// (docs/reference/journal-format.md); they throw std::runtime_error if that cannot be
/// done.
class JournalRecorder final : public Recorder {
 public:
  struct Settings {
    std::string folder;  ///< must be there
    std::string name;    ///< of the file, without `.db`; empty: the session's id
    std::string node;    ///< the writing node
    std::size_t ring_rows = 16384;
    std::int64_t max_pages = 0;  ///< see JournalSettings
    RecordMetadata facts;        ///< added to those of open()
    /// Oldest row that would not survive power loss [s]; 0: only what request_sync() asked
    /// for
    double max_unsynced_age_s = 0.0;
    std::function<void()> on_durable = {};  ///< see JournalSettings
    /// close() returns immediately, and closing() tells when the file is finished. For a
    /// node that hears others meanwhile.
    bool closes_in_background = false;
    /// Longest wait for the disk at the end of a record.
    Duration longest_close = std::chrono::seconds(60);
    Duration longest_stall = std::chrono::seconds(60);  ///< see JournalSettings
    /// Every few seconds of such a wait, or without room: one sentence for the terminal.
    std::function<void(const std::string&)> say = {};
    /// Called again and again in such a wait, by the thread that waits: it answers others
    /// meanwhile. Must not use the recorder.
    std::function<void(const std::string& file, Duration waited, Duration left)>
        while_waiting = {};
  };

  explicit JournalRecorder(Settings settings)
      : settings_(std::move(settings)),
        on_durable_(std::make_shared<RevocableCall>(settings_.on_durable)) {}
  /// Waits for the end of the record, at most `longest_close`. Rows that the disk has not
  /// taken by then stay in the ring file, and the next life brings them in.
  ~JournalRecorder() override { release(); }
  JournalRecorder(const JournalRecorder&) = delete;
  JournalRecorder& operator=(const JournalRecorder&) = delete;

  std::vector<RowSink*> open(const SessionId& session, const RecordMetadata& facts,
                             const RecordStreams& streams) override;
  std::vector<RowSink*> resume(const SessionId& session, const RecordStreams& streams,
                               std::span<const std::int64_t> last) override;
  std::unique_ptr<RecordedSession> open_session(const SessionId& session) override;
  std::optional<SessionId> find_interrupted() override;
  bool is_unfinished(const SessionId& session) override;
  bool keeps_state() const noexcept override { return true; }
  void save_state(std::int64_t step, std::span<const double> state) noexcept override;
  std::uint64_t request_sync() noexcept override;
  bool is_durable(std::uint64_t ticket) const noexcept override;
  void event(std::int64_t step, const std::string& kind, const std::string& text) override;
  std::size_t room_for_events() const noexcept override;
  void audit(const AuditEntry& entry) override;
  std::string audit_digest() const override;
  bool wait_for_space(Duration at_most) override;
  bool failed() const noexcept override { return writer_ != nullptr && writer_->failed(); }
  std::string error_message() const override;
  void close() override;
  std::string closing() const override;
  std::string missing(const SessionId& session) const override;

 private:
  JournalSettings writer_settings(const std::string& session) const;
  std::int64_t next_number();
  void start(std::unique_ptr<JournalWriter> writer, const SessionId& session);
  void begin_close(std::int64_t ended_utc_ns) noexcept;
  void wait_for_disk() noexcept;
  void release() noexcept;
  void refuse_while_closing() const;

  Settings settings_;
  std::optional<std::int64_t> last_number_;  // of the records in the folder
  double time_step_ = 0.0;
  SessionId session_{};
  std::shared_ptr<RevocableCall> on_durable_;  ///< of the writer
  std::unique_ptr<JournalWriter> writer_;
  bool open_ = false;
  std::chrono::steady_clock::time_point close_begun_{};
  std::optional<std::chrono::steady_clock::time_point> sentence_due_;  ///< without room
};

}  // namespace trestle::journal
