#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/journal/journal_reader.h"

namespace trestle::report {

/// Columns of one recorded stream in memory, a value per row.
class StreamTable {
 public:
  StreamTable() = default;

  /// Reads the rows of index 0 and above.
  /// @param wanted  whether a column is kept
  /// @throws std::runtime_error as JournalReader; or if the columns would need more than
  ///         2^27 numbers, which is 1 GB
  StreamTable(const journal::JournalReader& journal, const std::string& stream,
              const std::function<bool(const Channel&)>& wanted);

  std::size_t rows() const noexcept { return index_.size(); }
  const Channels& channels() const noexcept { return channels_; }
  const std::vector<std::int64_t>& index() const noexcept { return index_; }
  const std::vector<double>& column(std::size_t place) const { return columns_[place]; }
  /// The column of exactly this name, or null.
  const std::vector<double>* find(const std::string& name) const;
  /// The unit of that column; empty: there is none.
  std::string unit_of(const std::string& name) const;

 private:
  Channels channels_;
  std::vector<std::int64_t> index_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace trestle::report
