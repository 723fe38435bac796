#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/journal/sqlite_database.h"
#include "core/ports/recorded_session.h"

namespace trestle::journal {

/// Reads the content of one journal, also while it is written: each query then returns what
/// is committed at that time.
///
/// @throws std::runtime_error from every verb, as JournalReader
class JournalRecordedSession final : public RecordedSession {
 public:
  explicit JournalRecordedSession(const std::string& path);

  std::string fact(const std::string& key) const override;
  Channels channels(const std::string& stream) const override;
  std::int64_t last(const std::string& stream) const override;
  bool row(const std::string& stream, std::int64_t index,
           std::vector<double>& into) override;
  std::optional<State> state() const override;
  /// The system runs since before the record was opened last: rings outlive a process.
  bool whole() const override;
  std::vector<std::string> events(const std::string& kind) const override;
  std::vector<AuditEntry> audits() const override;

 private:
  /// A stream, and the last requested block of it.
  struct Stream {
    std::int64_t id = 0;
    std::size_t channels = 0;
    std::vector<std::byte> rows;
    std::size_t at = 0;  // of the row that was found last
  };

  Stream* find(const std::string& stream);
  bool read_block(Stream& stream, std::int64_t index);
  static bool seek(Stream& stream, std::int64_t index);

  mutable SqliteDatabase database_;
  std::map<std::string, Stream> streams_;
};

}  // namespace trestle::journal
