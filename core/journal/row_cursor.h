#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/sqlite_database.h"
#include "core/types/record.h"

namespace trestle::journal {

/// Iterates over the rows of one stream, in order. The JournalReader must outlive it.
class RowCursor {
 public:
  /// @param stream    its id in the database
  /// @param channels  values per row
  /// @param after     the first row has an index above this one
  RowCursor(SqliteDatabase& database, std::int64_t stream, std::size_t channels,
            std::int64_t after = std::numeric_limits<std::int64_t>::min());

  /// The next row, or nothing at the end; its values stand until the next call.
  /// @throws std::runtime_error if the file is damaged
  std::optional<RecordRow> next();

 private:
  bool next_block();

  std::string path_;
  std::size_t channels_;
  std::int64_t after_;
  SqliteStatement blocks_;
  std::size_t rows_ = 0;  // of the present block
  std::size_t at_ = 0;
  std::vector<std::int64_t> indices_;
  std::vector<double> values_;
};

}  // namespace trestle::journal
