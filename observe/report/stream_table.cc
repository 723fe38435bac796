#include "observe/report/stream_table.h"

#include <stdexcept>

namespace trestle::report {
namespace {

constexpr std::int64_t kMostValues = std::int64_t{1} << 27;

}  // namespace

StreamTable::StreamTable(const journal::JournalReader& journal, const std::string& stream,
                         const std::function<bool(const Channel&)>& wanted) {
  const Channels& all = journal.channels(stream);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!wanted(all[i])) continue;
    places.push_back(i);
    channels_.push_back(all[i]);
  }
  const std::int64_t rows = journal.row_count(stream);
  const auto width = static_cast<std::int64_t>(places.size()) + 1;
  if (rows > kMostValues / width)
    throw std::runtime_error(
        "the stream " + stream + " of " + journal.path() + " has " + std::to_string(rows) +
        " rows of " + std::to_string(width - 1) +
        " columns, more than a report can hold in memory (1 GB). Export the record with "
        "`trestle export` and take a part of it");
  columns_.resize(places.size());
  index_.reserve(static_cast<std::size_t>(rows));
  for (std::vector<double>& column : columns_)
    column.reserve(static_cast<std::size_t>(rows));
  journal::RowCursor cursor = journal.rows(stream);
  while (const std::optional<RecordRow> row = cursor.next()) {
    if (row->index < 0) continue;  // the initial measurement belongs to no step
    index_.push_back(row->index);
    for (std::size_t i = 0; i < places.size(); ++i)
      columns_[i].push_back(row->values[places[i]]);
  }
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
