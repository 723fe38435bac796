#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/journal/journal_reader.h"

namespace trestle::report {

/// Rows from one index to another, both included.
struct RowStretch {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// Columns of one recorded stream in memory, a value per row.
class StreamTable {
 public:
  StreamTable() = default;

  /// Reads all rows of index 0 and above.
  /// @throws std::runtime_error as JournalReader
  StreamTable(const journal::JournalReader& journal, const std::string& stream);
  /// Reads those rows of it that lie in one of the stretches.
  /// @param stretches  in ascending order, none over another
  StreamTable(const journal::JournalReader& journal, const std::string& stream,
              const std::vector<RowStretch>& stretches);

  std::size_t rows() const noexcept { return index_.size(); }
  const Channels& channels() const noexcept { return channels_; }
  const std::vector<std::int64_t>& index() const noexcept { return index_; }
  const std::vector<double>& column(std::size_t place) const { return columns_[place]; }
  /// The column of exactly this name, or null.
  const std::vector<double>* find(const std::string& name) const;
  /// The unit of that column; empty: there is none.
  std::string unit_of(const std::string& name) const;

 private:
  void take(const RecordRow& row);

  Channels channels_;
  std::vector<std::int64_t> index_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace trestle::report
