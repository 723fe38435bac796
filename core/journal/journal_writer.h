#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "core/base/time.h"
#include "core/journal/file_link.h"
#include "core/journal/first_failure.h"
#include "core/journal/journal_file.h"
#include "core/journal/journal_queues.h"
#include "core/journal/writer_requests.h"
#include "core/ports/row_sink.h"
#include "core/types/record.h"

namespace trestle::journal {

struct JournalSettings {
  std::string path;              ///< of the database; its folder must be there
  bool durable = false;          ///< what is committed survives power loss
  std::size_t ring_rows = 4096;  ///< room per stream between the step path and the disk
  double transaction_s = 1.0;    ///< oldest row that is not yet committed, > 0 [s]
  /// Oldest row that would not survive power loss [s]; 0: only what request_sync() asked
  /// for
  double max_unsynced_age_s = 0.0;
  std::int64_t max_pages = 0;  ///< see Journal
  /// Longest time without room in wait_for_space(): then the disk hangs, and the record
  /// has failed.
  Duration longest_stall = std::chrono::seconds(60);
  std::string session = {};  ///< whose rings they are; see RingFile
  /// By the writing thread, when what request_sync() asked for is safe, or never will be.
  std::function<void()> on_durable = {};
};

/// Keeps the journal of one node while it runs: takes rows, events, acts and states off the
/// step path and writes them on a separate thread. On their way they are in a RingFile
/// beside the journal, so that the death of the process loses none.
///
/// Set-up (constructor, add_stream, start), set_meta and close belong to the thread that
/// makes the writer. push(), event(), audit(), save_state() and request_sync() belong to
/// the node's threads, each of them to one at a time, from start() to close().
class JournalWriter {
 public:
  /// Brings in what an earlier process left behind, then opens.
  /// @throws std::runtime_error where a file cannot be written or is no journal, or another
  ///         program writes it
  explicit JournalWriter(const JournalSettings& settings);

  /// As close().
  ~JournalWriter();

  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Before start(). The sink lives as long as the writer; its push() copies, and neither
  /// waits nor allocates.
  /// @throws std::runtime_error as JournalFile::add_stream
  RowSink& add_stream(const std::string& name, const Channels& channels);
  /// The same, to resume the stream after row `last`.
  /// @throws std::runtime_error as JournalFile::reopen_stream
  RowSink& reopen_stream(const std::string& name, const Channels& channels,
                         std::int64_t last);

  /// At any time before close(); while it runs it may wait for a transaction to end.
  /// @throws std::runtime_error as JournalFile::set_meta
  void set_meta(const std::string& key, const std::string& value);
  std::optional<std::string> meta(const std::string& key);
  void forget_meta(const std::string& key);

  /// Before start(): what was set and added so far survives power loss.
  /// @throws std::runtime_error where it cannot be written
  void settle();

  /// Starts the writing thread.
  void start();

  /// Step path: neither waits nor allocates. Long texts are cut (EventQueue).
  /// @returns false where there was no room; it is counted, and is a failure
  bool event(TimePoint time, std::string_view node, std::string_view kind,
             std::string_view text) noexcept;

  /// Never waits. @param utc_ns  now [ns since 1970]
  bool audit(const AuditEntry& entry, std::int64_t utc_ns);
  /// What is on its way to the journal: its room, its losses, the digest of the last entry
  /// that audit() took. The thread that pushes.
  const JournalQueues& queues() const noexcept { return *queues_; }

  /// The newest whole state; what was pushed before is written with it or earlier. Makes
  /// room at the first call, and where a state is much larger than the first.
  void save_state(std::int64_t step, std::span<const double> state) noexcept;

  /// Wakes the writing thread, to make all that was pushed so far survive power loss.
  std::uint64_t request_sync() noexcept;
  /// True once it has.
  bool is_durable(std::uint64_t ticket) const noexcept {
    return requests_.is_durable(ticket);
  }

  /// For the runner of a mode that may wait; called outside Node::tick, by the thread that
  /// pushes. Waits until every ring has room for half its rows. The writer has failed when
  /// calls found no room for `longest_stall`.
  /// @returns false where the record can no longer be kept, or `at_most` has passed
  bool wait_for_space(Duration at_most);

  /// Waits until everything pushed so far is committed.
  /// @returns false where the record can no longer be kept, or `at_most` has passed
  bool flush(Duration at_most = std::chrono::minutes(1));

  /// Writes the rest, once more even after a failure (the disk may have room again), and
  /// leaves one file; where that was deleted, a new one in its place. Later calls do
  /// nothing.
  /// @param ended_utc_ns  says so in the journal: the session is over; 0: it is not
  /// @returns false where error_message() has something to say
  bool close(std::int64_t ended_utc_ns = 0) noexcept;

  /// Begins close() and returns: the writing thread does the rest. Only the first call
  /// counts.
  void begin_close(std::int64_t ended_utc_ns = 0) noexcept;
  /// Returns true when the file is finished, or cannot be; waits for it for `at_most`.
  bool closed(Duration at_most = Duration::zero()) {
    return requests_.finished() || requests_.wait_until_finished(at_most);
  }

  /// True once the record can no longer be kept, or something was lost. Cheap: to be asked
  /// at every step.
  bool failed() const noexcept;

  /// One sentence that names the file and what to do; nothing where all is well.
  std::optional<std::string> error_message() const;

 private:
  RowSink& sink_of(int number, const std::string& name, std::size_t channels);
  void write_until_stopped();
  void drain(bool durable) noexcept;
  void write_transaction(bool durable);
  void finish() noexcept;
  void fail(const std::string& sentence) noexcept;

  JournalSettings settings_;
  std::mutex journal_mutex_;  // to be held to use journal_, or to take from the queues
  std::optional<JournalFile> journal_;
  std::optional<FileLink> link_;  // of journal_: a deleted record is a failure
  std::optional<JournalQueues> queues_;
  bool unsynced_ = true;  // something was committed that power loss would take

  WriterRequests requests_;
  FirstFailure failure_;
  std::int64_t ended_utc_ns_ = 0;                                    // of begin_close()
  std::optional<std::chrono::steady_clock::time_point> full_since_;  // wait_for_space()'s

  // The writing thread's own.
  std::chrono::steady_clock::time_point last_written_;
  std::chrono::steady_clock::time_point last_durable_;

  std::thread thread_;
};

}  // namespace trestle::journal
