#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/journal/audit_chain.h"
#include "core/journal/extent_table.h"
#include "core/journal/journal_event.h"
#include "core/journal/sqlite_database.h"
#include "core/types/record.h"

namespace trestle::journal {

/// The record of one node, open for writing: one SQLite database with a write-ahead log.
/// docs/reference/journal-format.md describes the tables. A process that is killed while it
/// writes loses no committed row.
///
/// Used by one thread at a time; not for the step path (JournalWriter is). Every verb
/// throws std::runtime_error with one sentence that names the file and what to do.
class JournalFile {
 public:
  /// Opens, and makes where it is not there; a journal of the same schema is continued.
  /// @param durable    a commit survives power loss (else only the death of the process)
  /// @param max_pages  largest size of the file in pages of 16 KiB, to simulate a full disk
  ///                   in tests; 0: no limit
  explicit JournalFile(const std::string& path, bool durable = false,
                       std::int64_t max_pages = 0);

  /// Writes over an older value; only the session may never change.
  void set_meta(const std::string& key, const std::string& value);

  /// Adds to a count; 0 leaves it as it is, also absent.
  void add_to_count(const std::string& key, std::uint64_t more);

  std::optional<std::string> meta(const std::string& key);
  void forget_meta(const std::string& key);

  /// @returns number of the stream for append(). A stream that is there already must have
  /// the same channels.
  int add_stream(const std::string& name, const Channels& channels);

  /// Finds an existing stream, whatever its channels.
  std::optional<int> find(const std::string& name);
  /// Reopens a stream: moves rows with an index above `last` to the table `superseded`,
  /// which the program never reads again.
  /// @throws std::runtime_error if it is not there, or has other channels
  int reopen_stream(const std::string& name, const Channels& channels, std::int64_t last);
  /// Index of its last row.
  std::optional<std::int64_t> last(int stream) const;

  /// Makes all rows written so far survive a loss of power.
  void settle();

  /// Begins a transaction: the writes until commit() appear together or not at all.
  /// @param durable  the commit survives power loss, and with it all before it
  void begin(bool durable = false);
  void commit();
  void rollback() noexcept;

  /// Rows of one stream as one block (row_layout.h).
  /// @throws std::runtime_error if an index is not above the one before it, what the
  /// file
  ///         holds already included
  void append(int stream, std::span<const std::byte> rows);
  /// The same for one row.
  void append(int stream, const RecordRow& row);

  void add_event(const JournalEvent& event);
  /// @param number  above last_event()
  void add_event(std::int64_t number, const JournalEvent& event);
  std::int64_t last_event();  ///< its number; 0: none

  void add_audit(const AuditRecord& record);
  AuditRecord last_audit();  ///< sequence 0: none

  /// Instead of the state before.
  void save_state(std::int64_t step, std::span<const double> state);

  /// Writes something, though nothing changes: a commit to make durable what was committed
  /// before.
  void force_commit();

  /// Ends the run: merges the log into the file, so that it is one file again.
  /// @param again  it was deleted: also writes a new one there, which lasts
  /// @returns where else the new one is, as that place is taken or cannot be written
  /// @throws std::runtime_error  it cannot be written
  std::string finish(bool again = false);

  const std::string& path() const noexcept { return database_.path(); }

 private:
  struct Stream {
    std::int64_t id = 0;
    std::string name;
    std::size_t row_bytes = 0;
    std::optional<std::int64_t> last;       // index of its last row
    std::optional<std::int64_t> committed;  // the same before begin()
    std::vector<ExtentBuilder> extents;     // one per length
  };

  std::optional<std::int64_t> find_stream(const std::string& name);
  Channels channels_of(std::int64_t stream);
  std::int64_t insert_stream(const std::string& name, const Channels& channels);
  int use_stream(std::int64_t id, const std::string& name, std::size_t channels);
  void cut(Stream& stream, std::int64_t last);
  void add_extents(Stream& stream, std::optional<std::int64_t> before,
                   std::span<const std::byte> rows);

  SqliteDatabase database_;
  bool always_durable_;
  bool durable_;
  std::optional<SqliteStatement> insert_block_;
  std::optional<SqliteStatement> insert_event_;
  std::optional<SqliteStatement> replace_state_;
  ExtentTable extents_;
  std::vector<Stream> streams_;
};

}  // namespace trestle::journal
