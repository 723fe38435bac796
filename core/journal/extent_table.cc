#include "core/journal/extent_table.h"

#include <cstring>
#include <span>
#include <stdexcept>

namespace trestle::journal {
namespace {

bool has_extents(SqliteDatabase& database) {
  return database.number(
             "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = "
             "'extent'") > 0;
}

/// Remove the extents that reach beyond the newest row as soon as rows are removed. The
/// journal does so by itself: the program that resumes a record may be of an earlier
/// version, which does not know the table.
std::string make_triggers() {
  std::string removal;
  for (const std::int64_t rows : kExtentRows) {
    const std::string length = std::to_string(rows);
    removal += "DELETE FROM extent WHERE stream = OLD.stream AND rows = " + length +
               " AND first > 1 - " + length +
               " + coalesce((SELECT last FROM block WHERE stream = OLD.stream ORDER BY "
               "first DESC LIMIT 1), -4611686018427387904); ";
  }
  std::string sql;
  for (const char* const change : {"DELETE", "UPDATE"})
    sql += std::string("CREATE TRIGGER IF NOT EXISTS extent_after_") + change + " AFTER " +
           change + " ON block BEGIN " + removal + "END; ";
  return sql;
}

}  // namespace

void ExtentTable::add(std::int64_t stream, const Extent& extent) {
  if (!insert_) {
    database_.execute(
        "CREATE TABLE IF NOT EXISTS extent(stream INTEGER NOT NULL, rows INTEGER NOT NULL, "
        "first INTEGER NOT NULL, extremes BLOB NOT NULL, PRIMARY KEY(stream, rows, first)) "
        "WITHOUT ROWID");
    database_.execute(make_triggers());
    insert_ = database_.prepare(
        "INSERT OR REPLACE INTO extent(stream, rows, first, extremes) VALUES(?, ?, ?, ?)");
  }
  values_.clear();
  for (const std::span<const double> part : {extent.low, extent.high, extent.begin})
    values_.insert(values_.end(), part.begin(), part.end());
  insert_->bind(1, stream)
      .bind(2, extent.rows)
      .bind(3, extent.first)
      .bind(4, std::as_bytes(std::span<const double>(values_)))
      .run();
}

void visit_extents(SqliteDatabase& database, const ExtentQuery& query,
                   const std::function<bool(const Extent&)>& take) {
  if (!has_extents(database)) return;
  SqliteStatement select = database.prepare(
      "SELECT first, extremes FROM extent WHERE stream = ? AND rows = ? AND first >= ? AND "
      "first <= ? ORDER BY first");
  select.bind(1, query.stream)
      .bind(2, query.rows)
      .bind(3, query.from)
      .bind(4, query.to - query.rows + 1);
  std::vector<double> values(3 * query.channels);
  while (select.step()) {
    const std::span<const std::byte> bytes = select.blob(1);
    if (bytes.size() != values.size() * sizeof(double))
      throw std::runtime_error(
          "journal " + database.path() +
          " is damaged (an extent of the wrong length); use a copy of it");
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    const std::span<const double> all(values);
    if (!take({select.integer(0), query.rows, all.first(query.channels),
               all.subspan(query.channels, query.channels), all.last(query.channels)}))
      return;
  }
}

}  // namespace trestle::journal
