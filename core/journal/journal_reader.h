#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/audit_chain.h"
#include "core/journal/extent_builder.h"
#include "core/journal/journal_event.h"
#include "core/journal/row_cursor.h"
#include "core/journal/sqlite_database.h"
#include "core/types/record.h"

namespace trestle::journal {

/// A journal to read: finished, still being written, or left behind by a process that was
/// killed. Shows what was committed when it was opened, and changes nothing.
///
/// @throws std::runtime_error from every verb, with one sentence that names the file: it is
///         not there, is no journal, is damaged, or is of a newer schema
class JournalReader {
 public:
  explicit JournalReader(const std::string& path);

  const std::string& path() const noexcept { return database_->path(); }

  const std::map<std::string, std::string>& meta() const noexcept { return meta_; }
  std::optional<std::string> meta(const std::string& key) const;
  /// The same where it must be there.
  std::string required_meta(const std::string& key) const;
  /// A positive number that must be there: `time_step_s`, `tick_s`.
  double required_number(const std::string& key) const;

  /// Names, in the order in which they were added.
  std::vector<std::string> streams() const;
  bool has_stream(const std::string& stream) const;
  const Channels& channels(const std::string& stream) const;
  std::int64_t row_count(const std::string& stream) const;
  RowCursor rows(const std::string& stream) const;
  /// The rows whose index is above `after`.
  RowCursor rows_after(const std::string& stream, std::int64_t after) const;
  /// Gives the extents of `rows` rows (kExtentRows) that lie from index `from` to `to`,
  /// both included, in ascending order, until `take` returns false. Rows that no extent
  /// includes are to be read.
  void visit_extents(const std::string& stream, std::int64_t rows, std::int64_t from,
                     std::int64_t to, const std::function<bool(const Extent&)>& take) const;
  /// Index of the newest row; nothing if the stream has none.
  std::optional<std::int64_t> newest_index(const std::string& stream) const;

  /// In the order in which they were added.
  std::vector<JournalEvent> events() const;
  /// The events whose number is above `after`, and the number of the newest one.
  std::vector<JournalEvent> events_after(std::int64_t after, std::int64_t& newest) const;

  /// The same, of what people did; none in journals of schema 1.
  std::vector<AuditRecord> audit() const;

  std::int64_t schema() const { return database_->number("PRAGMA user_version"); }

  /// Copies the whole journal over `path`, as one file.
  void copy_to(const std::string& path) const;

 private:
  struct Stream {
    std::int64_t id = 0;
    std::string name;
    Channels channels;
  };

  void read_streams();
  const Stream& find(const std::string& stream) const;

  std::unique_ptr<SqliteDatabase> database_;
  std::map<std::string, std::string> meta_;
  std::vector<Stream> streams_;
};

}  // namespace trestle::journal
