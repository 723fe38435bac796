#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <vector>

namespace trestle::integration {

/// Sparse A = L·D·Lᵀ of a symmetric matrix whose pattern is fixed and whose values change,
/// row by row (Davis 2005, Algorithm 849), with a fill-reducing order and without pivoting:
/// for matrices that are positive definite, or nearly so. A pivot of zero leaves results
/// that are not finite. Order, pattern and memory are made once; factor() and solve() do
/// not allocate, and do the same work each time.
class SparseLdlt {
 public:
  /// @param pattern  symmetric, both triangles or the lower one; its values are not read
  explicit SparseLdlt(const Eigen::SparseMatrix<double>& pattern);

  /// Place of the entry (row, column), equal to that of (column, row), in values().
  /// @pre it belongs to the pattern
  int place(int row, int column) const;
  std::span<double> values() noexcept { return values_; }

  /// Factors the present values().
  void factor() noexcept;
  /// x ← A⁻¹·x by the latest factor().
  void solve(Eigen::VectorXd& x) noexcept;

 private:
  void analyse();

  int size_ = 0;
  std::vector<int> position_;      // of each row in the order of elimination
  std::vector<int> start_, row_;   // upper triangle in that order, column by column
  std::vector<double> values_;     // of it
  std::vector<int> parent_;        // in the elimination tree; -1: none
  std::vector<int> factor_start_;  // columns of L
  std::vector<int> factor_row_;
  std::vector<double> factor_value_;
  std::vector<double> pivot_;  // D
  // Of one factorisation:
  std::vector<int> filled_;
  std::vector<int> seen_;
  std::vector<int> path_;
  std::vector<double> dense_;
};

}  // namespace trestle::integration
