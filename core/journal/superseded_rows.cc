#include "core/journal/superseded_rows.h"

#include <span>
#include <vector>

#include "core/journal/row_layout.h"

namespace trestle::journal {
namespace {

void make_table(SqliteDatabase& database) {
  database.execute(
      "CREATE TABLE IF NOT EXISTS superseded(id INTEGER PRIMARY KEY, stream INTEGER NOT "
      "NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL, rows "
      "BLOB NOT NULL)");
}

void move_whole_blocks(SqliteDatabase& database, std::int64_t stream, std::int64_t last) {
  database
      .prepare(
          "INSERT INTO superseded(stream, first, last, count, rows) "
          "SELECT stream, first, last, count, rows FROM block "
          "WHERE stream = ? AND first > ?")
      .bind(1, stream)
      .bind(2, last)
      .run();
  database.prepare("DELETE FROM block WHERE stream = ? AND first > ?")
      .bind(1, stream)
      .bind(2, last)
      .run();
}

void add_block(SqliteDatabase& database, std::int64_t stream, std::size_t row_bytes,
               std::span<const std::byte> rows) {
  if (rows.empty()) return;
  database
      .prepare(
          "INSERT INTO superseded(stream, first, last, count, rows) "
          "VALUES(?, ?, ?, ?, ?)")
      .bind(1, stream)
      .bind(2, row_index(rows))
      .bind(3, row_index(rows.last(row_bytes)))
      .bind(4, static_cast<std::int64_t>(rows.size() / row_bytes))
      .bind(5, rows)
      .run();
}

/// The one block that `last` is inside of.
void cut_block(SqliteDatabase& database, std::int64_t stream, std::size_t row_bytes,
               std::int64_t last) {
  SqliteStatement across = database.prepare(
      "SELECT id, rows FROM block WHERE stream = ? AND first <= ? AND last > ?");
  across.bind(1, stream).bind(2, last).bind(3, last);
  if (!across.step()) return;
  const std::int64_t block = across.integer(0);
  const std::span<const std::byte> rows = across.blob(1);
  std::size_t kept = 0;
  std::int64_t newest = last;
  while ((kept + 1) * row_bytes <= rows.size() &&
         row_index(rows.subspan(kept * row_bytes)) <= last)
    newest = row_index(rows.subspan(kept++ * row_bytes));
  const std::span<const std::byte> above = rows.subspan(kept * row_bytes);
  const std::vector<std::byte> gone(above.begin(), above.end());
  const std::vector<std::byte> left(
      rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept * row_bytes));
  across.reset();
  add_block(database, stream, row_bytes, gone);
  database.prepare("UPDATE block SET last = ?, count = ?, rows = ? WHERE id = ?")
      .bind(1, newest)
      .bind(2, static_cast<std::int64_t>(kept))
      .bind(3, left)
      .bind(4, block)
      .run();
}

}  // namespace

void supersede_rows(SqliteDatabase& database, std::int64_t stream, std::size_t row_bytes,
                    std::int64_t last) {
  make_table(database);
  move_whole_blocks(database, stream, last);
  cut_block(database, stream, row_bytes, last);
}

}  // namespace trestle::journal
