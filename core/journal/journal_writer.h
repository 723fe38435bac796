#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/journal/event_queue.h"
#include "core/journal/journal.h"
#include "core/journal/row_ring.h"
#include "core/ports/step_sink.h"
#include "core/types/record.h"
#include "core/types/time.h"

namespace trestle {

struct JournalSettings {
  std::string path;              ///< of the database; its folder must be there
  bool durable = false;          ///< what is committed survives power loss
  std::size_t ring_rows = 4096;  ///< room per stream between the step path and the disk
  double transaction_s = 1.0;    ///< oldest row that is not yet committed, > 0 [s]
  std::int64_t max_pages = 0;    ///< see Journal
};

/// Keeps the journal of one node while it runs: takes rows and events off the step path and
/// writes them on a thread of its own.
///
/// Set-up (constructor, add_stream, start), set_meta and close belong to the thread that
/// makes the writer. push() and event() belong to the node's thread, from start() to
/// close().
class JournalWriter {
 public:
  /// @throws std::runtime_error where the file cannot be written or is no journal
  explicit JournalWriter(const JournalSettings& settings);

  /// As close().
  ~JournalWriter();

  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Before start(). The sink lives as long as the writer; its push() copies, and neither
  /// waits nor allocates.
  /// @throws std::runtime_error as Journal::add_stream
  StepSink& add_stream(const std::string& name, const Channels& channels);

  /// At any time before close(); while it runs it may wait for a transaction to end.
  /// @throws std::runtime_error as Journal::set_meta
  void set_meta(const std::string& key, const std::string& value);

  /// Starts the writing thread.
  void start();

  /// Step path: neither waits nor allocates. Long texts are cut (EventQueue).
  /// @returns false where there was no room; it is counted, and is a failure
  bool event(TimePoint time, std::string_view node, std::string_view kind,
             std::string_view text) noexcept;

  /// For the runner of a mode that may wait; called outside Node::tick, by the thread that
  /// pushes. Waits until every ring has room for half its rows.
  /// @returns false where the record can no longer be kept, or `at_most` has passed
  bool make_room(Duration at_most);

  /// Waits until everything pushed so far is committed.
  /// @returns false where the record can no longer be kept
  bool flush();

  /// Writes the rest, once more even after a failure (the disk may have room again), and
  /// leaves one file. Later calls do nothing.
  /// @returns false where failure() has something to say
  bool close() noexcept;

  /// True once the record can no longer be kept, or something was lost. Cheap: to be asked
  /// at every step.
  bool failed() const noexcept;

  /// One sentence that names the file and what to do; nothing where all is well.
  std::optional<std::string> failure() const;

 private:
  struct Stream {
    int number;  // in the journal
    std::string name;
    std::unique_ptr<RowRing> ring;
    std::size_t taken = 0;  // rows in the transaction that is open
  };

  void write_until_stopped();
  bool is_due(std::chrono::steady_clock::time_point last) const noexcept;
  bool has_room() const noexcept;
  void drain() noexcept;
  void write_transaction();
  void fail(const std::string& sentence) noexcept;
  std::string loss() const;

  JournalSettings settings_;
  std::vector<Stream> streams_;
  EventQueue events_;

  std::mutex journal_mutex_;  // whoever holds it may use journal_ and take from the rings
  std::optional<Journal> journal_;

  std::mutex mutex_;  // for what follows
  std::condition_variable wake_;
  std::condition_variable served_more_;
  std::uint64_t requested_ = 0;
  std::uint64_t served_ = 0;
  bool stop_ = false;

  mutable std::mutex failure_mutex_;
  std::string failure_;
  std::atomic<bool> failed_{false};

  std::thread thread_;
};

}  // namespace trestle
