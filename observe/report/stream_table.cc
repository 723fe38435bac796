#include "observe/report/stream_table.h"

#include <algorithm>

namespace trestle::report {

StreamTable::StreamTable(const journal::JournalReader& journal, const std::string& stream)
    : channels_(journal.channels(stream)), columns_(channels_.size()) {
  const auto rows = static_cast<std::size_t>(journal.row_count(stream));
  index_.reserve(rows);
  for (std::vector<double>& column : columns_) column.reserve(rows);
  journal::RowCursor cursor = journal.rows(stream);
  while (const std::optional<RecordRow> row = cursor.next())
    // The initial measurement belongs to no step.
    if (row->index >= 0) take(*row);
}

StreamTable::StreamTable(const journal::JournalReader& journal, const std::string& stream,
                         const std::vector<RowStretch>& stretches)
    : channels_(journal.channels(stream)), columns_(channels_.size()) {
  for (const RowStretch& stretch : stretches) {
    journal::RowCursor cursor =
        journal.rows_after(stream, std::max<std::int64_t>(stretch.from, 0) - 1);
    while (const std::optional<RecordRow> row = cursor.next()) {
      if (row->index > stretch.to) break;
      take(*row);
    }
  }
}

void StreamTable::take(const RecordRow& row) {
  index_.push_back(row.index);
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(row.values[i]);
}

const std::vector<double>* StreamTable::find(const std::string& name) const {
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if (channels_[i].name == name) return &columns_[i];
  return nullptr;
}

std::string StreamTable::unit_of(const std::string& name) const {
  for (const Channel& channel : channels_)
    if (channel.name == name) return channel.unit;
  return {};
}

}  // namespace trestle::report
