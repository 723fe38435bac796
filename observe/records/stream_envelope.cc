#include "observe/records/stream_envelope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/journal/extent_builder.h"

namespace trestle::records {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The longest extents of which parts of this length can be made; 1: parts are of rows.
std::int64_t extent_length(std::int64_t part_rows) {
  std::int64_t longest = 1;
  for (const std::int64_t rows : journal::kExtentRows)
    if (rows <= part_rows) longest = rows;
  return longest;
}

}  // namespace

StreamEnvelope::StreamEnvelope(const journal::JournalReader& journal,
                               const std::string& stream, std::int64_t fewest)
    : stream_(stream),
      channels_(journal.channels(stream)),
      last_(journal.newest_index(stream).value_or(-1)),
      columns_(channels_.size()),
      peaks_(channels_.size(), {kNoNumber, -1}) {
  if (last_ < 0) return;
  const std::int64_t wanted = std::max<std::int64_t>((last_ + 1) / fewest, 1);
  const std::int64_t extent_rows = extent_length(wanted);
  part_rows_ = wanted / extent_rows * extent_rows;
  std::int64_t next = 0;  // index that is not read yet
  if (extent_rows > 1)
    journal.visit_extents(stream, extent_rows, 0, last_,
                          [&](const journal::Extent& extent) {
                            take_rows(journal, next, extent.first - 1);
                            take(extent.first, extent.low, extent.high);
                            next = extent.first + extent.rows;
                            return true;
                          });
  take_rows(journal, next, last_);
  find_peaks(journal);
}

/// Rows that no extent includes: of the newest ones, and of a record of an earlier version.
void StreamEnvelope::take_rows(const journal::JournalReader& journal, std::int64_t from,
                               std::int64_t to) {
  if (from > to) return;
  journal::RowCursor rows = journal.rows_after(stream_, from - 1);
  while (const std::optional<RecordRow> row = rows.next()) {
    if (row->index > to) break;
    take(row->index, row->values, row->values);
  }
}

void StreamEnvelope::take(std::int64_t index, std::span<const double> low,
                          std::span<const double> high) {
  const std::int64_t first = index / part_rows_ * part_rows_;
  if (first_.empty() || first_.back() != first) {
    first_.push_back(first);
    for (Column& column : columns_) {
      column.low.push_back(kNoNumber);
      column.high.push_back(kNoNumber);
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].low.back() = std::fmin(columns_[i].low.back(), low[i]);
    columns_[i].high.back() = std::fmax(columns_[i].high.back(), high[i]);
  }
}

/// Only the rows of those parts are read in which a column has its largest magnitude.
void StreamEnvelope::find_peaks(const journal::JournalReader& journal) {
  std::map<std::size_t, std::vector<std::size_t>> columns_of_part;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto reach = [&column = columns_[i]](std::size_t part) {
      return std::fmax(std::abs(column.low[part]), std::abs(column.high[part]));
    };
    std::optional<std::size_t> largest;
    for (std::size_t part = 0; part < first_.size(); ++part)
      if (!std::isnan(reach(part)) && (!largest || reach(part) > reach(*largest)))
        largest = part;
    if (largest) columns_of_part[*largest].push_back(i);
  }
  for (const auto& [part, columns] : columns_of_part) {
    journal::RowCursor rows = journal.rows_after(stream_, first_[part] - 1);
    while (const std::optional<RecordRow> row = rows.next()) {
      if (row->index >= first_[part] + part_rows_) break;
      for (const std::size_t i : columns) {
        const double value = row->values[i];
        if (std::isnan(value)) continue;
        if (peaks_[i].index < 0 || std::abs(value) > std::abs(peaks_[i].value))
          peaks_[i] = {value, row->index};
      }
    }
  }
}

std::size_t StreamEnvelope::place_of(const std::string& beginning) const {
  std::size_t place = 0;
  while (place < channels_.size() && !channels_[place].name.starts_with(beginning)) ++place;
  return place;
}

}  // namespace trestle::records
