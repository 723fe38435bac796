#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace trestle::evaluation {

/// Columns of numbers that grow by one row per step, up to a known number of rows, so that
/// no step allocates.
class RunHistory {
 public:
  RunHistory() = default;
  RunHistory(std::size_t columns, std::size_t most_rows)
      : columns_(columns), most_rows_(most_rows), values_(columns * most_rows, 0.0) {}

  /// @pre one value per column; what goes beyond the last row is dropped
  void add(std::span<const double> row) noexcept {
    assert(row.size() == columns_);
    if (rows_ == most_rows_) return;
    for (std::size_t i = 0; i < columns_; ++i) values_[i * most_rows_ + rows_] = row[i];
    ++rows_;
  }

  /// Returns a copy of its first rows. @pre not more than there are
  RunHistory first(std::size_t rows) const {
    RunHistory part(columns_, rows);
    for (std::size_t i = 0; i < columns_; ++i)
      std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(i * most_rows_), rows,
                  part.values_.begin() + static_cast<std::ptrdiff_t>(i * rows));
    part.rows_ = rows;
    return part;
  }

  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  /// The rows so far of one column.
  std::span<const double> column(std::size_t index) const noexcept {
    return {values_.data() + index * most_rows_, rows_};
  }

 private:
  std::size_t columns_ = 0;
  std::size_t most_rows_ = 0;
  std::size_t rows_ = 0;
  std::vector<double> values_;
};

}  // namespace trestle::evaluation
