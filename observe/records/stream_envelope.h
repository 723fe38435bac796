#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/journal/journal_reader.h"

namespace trestle::records {

/// A whole stream in bounded memory: the smallest and the largest value of each column in
/// parts of equal length, and the row of the largest magnitude. Exact: from the extents of
/// the journal where it has them, otherwise from its rows
/// (docs/reference/journal-format.md).
///
/// Rows of index 0 and above count. A column without a number in a part has NaN there.
class StreamEnvelope {
 public:
  /// One column, a value per part.
  struct Column {
    std::vector<double> low;
    std::vector<double> high;
  };
  /// The first row in which a column has its largest magnitude.
  struct Peak {
    double value = 0.0;       ///< with its sign; NaN: the column has no number
    std::int64_t index = -1;  ///< of the row; -1: none
  };

  StreamEnvelope() = default;

  /// @param fewest  at most twice as many parts are made; fewer if the stream is shorter
  /// @throws std::runtime_error as JournalReader
  StreamEnvelope(const journal::JournalReader& journal, const std::string& stream,
                 std::int64_t fewest);

  bool empty() const noexcept { return first_.empty(); }
  const Channels& channels() const noexcept { return channels_; }
  /// Index at which each part begins; parts without rows are left out.
  const std::vector<std::int64_t>& first() const noexcept { return first_; }
  /// Indices in a part.
  std::int64_t part_rows() const noexcept { return part_rows_; }
  /// Index of the newest row.
  std::int64_t last() const noexcept { return last_; }
  const Column& column(std::size_t place) const { return columns_[place]; }
  const Peak& peak(std::size_t place) const { return peaks_[place]; }

  /// Number of the first column whose name begins so; channels().size(): there is none.
  std::size_t place_of(const std::string& beginning) const;

 private:
  void take_rows(const journal::JournalReader& journal, std::int64_t from, std::int64_t to);
  void take(std::int64_t index, std::span<const double> low, std::span<const double> high);
  void find_peaks(const journal::JournalReader& journal);

  std::string stream_;
  Channels channels_;
  std::int64_t part_rows_ = 1;
  std::int64_t last_ = -1;
  std::vector<std::int64_t> first_;
  std::vector<Column> columns_;
  std::vector<Peak> peaks_;
};

}  // namespace trestle::records
