#include "core/journal/row_cursor.h"

#include <cstring>
#include <span>
#include <stdexcept>

#include "core/journal/row_layout.h"

namespace trestle::journal {

RowCursor::RowCursor(SqliteDatabase& database, std::int64_t stream, std::size_t channels,
                     std::int64_t after)
    : path_(database.path()),
      channels_(channels),
      after_(after),
      // Blocks do not overlap: the first that matters is the last that begins at `after` or
      // before, which the index on (stream, first) finds at once.
      blocks_(database.prepare(
          "SELECT count, rows FROM block WHERE stream = ?1 AND first >= coalesce((SELECT "
          "max(first) FROM block WHERE stream = ?1 AND first <= ?2), ?2) ORDER BY first")) {
  blocks_.bind(1, stream);
  blocks_.bind(2, after);
}

std::optional<RecordRow> RowCursor::next() {
  while (at_ == rows_ || indices_[at_] <= after_)
    if (at_ < rows_)
      ++at_;
    else if (!next_block())
      return std::nullopt;
  const RecordRow row{indices_[at_],
                      std::span<const double>(values_).subspan(at_ * channels_, channels_)};
  ++at_;
  return row;
}

bool RowCursor::next_block() {
  at_ = rows_ = 0;
  if (!blocks_.step()) return false;
  const std::span<const std::byte> bytes = blocks_.blob(1);
  const std::size_t row_size = row_bytes(channels_);
  if (bytes.size() % row_size != 0 ||
      blocks_.integer(0) != static_cast<std::int64_t>(bytes.size() / row_size))
    throw std::runtime_error("journal " + path_ +
                             " is damaged (a block of the wrong length); use a copy of it");
  rows_ = bytes.size() / row_size;
  indices_.resize(rows_);
  values_.resize(rows_ * channels_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::span<const std::byte> row = bytes.subspan(i * row_size, row_size);
    indices_[i] = row_index(row);
    if (channels_ > 0)
      std::memcpy(values_.data() + i * channels_, row.data() + sizeof(std::int64_t),
                  channels_ * sizeof(double));
  }
  return true;
}

}  // namespace trestle::journal
