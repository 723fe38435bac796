#include "numerical/integration/sparse_ldlt.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cstddef>

namespace trestle::integration {
namespace {

std::size_t slot(int index) noexcept {
  return static_cast<std::size_t>(index);
}

}  // namespace

SparseLdlt::SparseLdlt(const Eigen::SparseMatrix<double>& pattern)
    : size_(static_cast<int>(pattern.rows())) {
  Eigen::SparseMatrix<double> lower = pattern.triangularView<Eigen::Lower>();
  Eigen::SparseMatrix<double> whole =
      lower + Eigen::SparseMatrix<double>(lower.transpose());
  whole.makeCompressed();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(whole, order);
  position_.resize(slot(size_));
  for (int i = 0; i < size_; ++i) position_[slot(order.indices()[i])] = i;

  std::vector<std::vector<int>> columns(slot(size_));
  for (int j = 0; j < size_; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(lower, j); entry; ++entry) {
      const int one = position_[slot(static_cast<int>(entry.row()))];
      const int other = position_[slot(j)];
      columns[slot(std::max(one, other))].push_back(std::min(one, other));
    }
  start_.push_back(0);
  for (int j = 0; j < size_; ++j) {
    std::vector<int>& column = columns[slot(j)];
    column.push_back(j);
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    row_.insert(row_.end(), column.begin(), column.end());
    start_.push_back(static_cast<int>(row_.size()));
  }
  values_.assign(row_.size(), 0.0);
  analyse();
}

/// Elimination tree, and the length of each column of L.
void SparseLdlt::analyse() {
  parent_.assign(slot(size_), -1);
  seen_.assign(slot(size_), -1);
  filled_.assign(slot(size_), 0);
  for (int k = 0; k < size_; ++k) {
    seen_[slot(k)] = k;
    for (int p = start_[slot(k)]; p < start_[slot(k + 1)]; ++p)
      for (int i = row_[slot(p)]; seen_[slot(i)] != k; i = parent_[slot(i)]) {
        if (parent_[slot(i)] < 0) parent_[slot(i)] = k;
        ++filled_[slot(i)];
        seen_[slot(i)] = k;
      }
  }
  factor_start_.assign(1, 0);
  for (int k = 0; k < size_; ++k)
    factor_start_.push_back(factor_start_.back() + filled_[slot(k)]);
  factor_row_.assign(slot(factor_start_.back()), 0);
  factor_value_.assign(factor_row_.size(), 0.0);
  pivot_.assign(slot(size_), 1.0);
  path_.assign(slot(size_), 0);
  dense_.assign(slot(size_), 0.0);
}

int SparseLdlt::place(int row, int column) const {
  const int one = position_[slot(row)];
  const int other = position_[slot(column)];
  const int j = std::max(one, other);
  const auto first = row_.begin() + start_[slot(j)];
  const auto last = row_.begin() + start_[slot(j + 1)];
  return static_cast<int>(std::lower_bound(first, last, std::min(one, other)) -
                          row_.begin());
}

void SparseLdlt::factor() noexcept {
  for (int k = 0; k < size_; ++k) {
    int top = size_;
    seen_[slot(k)] = k;
    filled_[slot(k)] = 0;
    for (int p = start_[slot(k)]; p < start_[slot(k + 1)]; ++p) {
      int i = row_[slot(p)];
      dense_[slot(i)] += values_[slot(p)];
      int length = 0;
      for (; seen_[slot(i)] != k; i = parent_[slot(i)]) {
        path_[slot(length++)] = i;
        seen_[slot(i)] = k;
      }
      while (length > 0) path_[slot(--top)] = path_[slot(--length)];
    }
    double pivot = dense_[slot(k)];
    dense_[slot(k)] = 0.0;
    for (; top < size_; ++top) {
      const int i = path_[slot(top)];
      const double value = dense_[slot(i)];
      dense_[slot(i)] = 0.0;
      const int first = factor_start_[slot(i)];
      const int end = first + filled_[slot(i)];
      for (int p = first; p < end; ++p)
        dense_[slot(factor_row_[slot(p)])] -= factor_value_[slot(p)] * value;
      const double entry = value / pivot_[slot(i)];
      pivot -= entry * value;
      factor_row_[slot(end)] = k;
      factor_value_[slot(end)] = entry;
      ++filled_[slot(i)];
    }
    pivot_[slot(k)] = pivot;
  }
}

void SparseLdlt::solve(Eigen::VectorXd& x) noexcept {
  for (int i = 0; i < size_; ++i) dense_[slot(position_[slot(i)])] = x[i];
  for (int j = 0; j < size_; ++j)
    for (int p = factor_start_[slot(j)]; p < factor_start_[slot(j + 1)]; ++p)
      dense_[slot(factor_row_[slot(p)])] -= factor_value_[slot(p)] * dense_[slot(j)];
  for (int j = 0; j < size_; ++j) dense_[slot(j)] /= pivot_[slot(j)];
  for (int j = size_ - 1; j >= 0; --j)
    for (int p = factor_start_[slot(j)]; p < factor_start_[slot(j + 1)]; ++p)
      dense_[slot(j)] -= factor_value_[slot(p)] * dense_[slot(factor_row_[slot(p)])];
  for (int i = 0; i < size_; ++i) x[i] = dense_[slot(position_[slot(i)])];
  std::fill(dense_.begin(), dense_.end(), 0.0);
}

}  // namespace trestle::integration
