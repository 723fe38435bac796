#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/extent_builder.h"
#include "core/journal/sqlite_database.h"

namespace trestle::journal {

/// The table `extent` of a journal, to write. It is made when the first extent is there: a
/// short record, and one of an earlier version, has none. It has triggers that remove an
/// extent with its rows, whatever program removes them.
class ExtentTable {
 public:
  explicit ExtentTable(SqliteDatabase& database) : database_(database) {}
  ExtentTable(const ExtentTable&) = delete;
  ExtentTable& operator=(const ExtentTable&) = delete;

  /// @param stream  its id in the database
  void add(std::int64_t stream, const Extent& extent);
  /// A transaction was taken back, and with it perhaps the table; or the file is closed.
  void forget() { insert_.reset(); }

 private:
  SqliteDatabase& database_;
  std::optional<SqliteStatement> insert_;
  std::vector<double> values_;
};

/// The extents of one length of a stream that lie between two indices.
struct ExtentQuery {
  std::int64_t stream = 0;   ///< its id in the database
  std::size_t channels = 0;  ///< values per row
  std::int64_t rows = 0;     ///< one of kExtentRows
  std::int64_t from = 0;     ///< smallest index, included
  std::int64_t to = 0;       ///< largest index, included
};

/// Gives the extents in ascending order, until `take` returns false. Their values are valid
/// during the call. None if the journal has no such table.
/// @throws std::runtime_error if the file is damaged
void visit_extents(SqliteDatabase& database, const ExtentQuery& query,
                   const std::function<bool(const Extent&)>& take);

}  // namespace trestle::journal
