#pragma once

#include <cstdint>
#include <vector>

#include "core/base/snapshot.h"

namespace trestle::math {

/// Sums of products Σ rᵢ rⱼ over the rows of a window that moves along: the newest row is
/// added, the one that leaves is taken off, O(columns²) a tick, without the heap.
///
/// Adding and subtracting would keep the rounding errors of large rows permanently, and a
/// regression on slow signals is nearly singular. So rows are first rounded to fixed point
/// (a resolution of 2⁻⁴¹ = 4.5e-13 of their unit, values held within ± 4096 of it), and
/// their products are then summed as whole numbers of 128 bits: nothing more is ever
/// rounded, whatever was in the window before, and the sums of a restored window are those
/// of the window that was saved, to the bit.
class SlidingGramMatrix {
 public:
  static constexpr int kMaxColumns = 24;
  static constexpr int kMaxWindow = 1 << 20;

  /// @param columns  1 ... kMaxColumns
  /// @param window   1 ... kMaxWindow [rows]
  SlidingGramMatrix(int columns, int window);

  void reset() noexcept;

  /// @param row  `columns` numbers
  void add(const double* row) noexcept;

  int rows() const noexcept { return rows_; }
  bool full() const noexcept { return rows_ == window_; }
  /// Σ rᵢ rⱼ over the rows in the window.
  double sum(int i, int j) const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  __extension__ using Wide = __int128;

  std::int64_t* row(int index) noexcept;
  void clear_sums() noexcept;

  int columns_;
  int window_;
  std::vector<std::int64_t> ring_;
  std::vector<Wide> sums_;  // lower triangle, row by row
  int rows_ = 0;
  int next_ = 0;
};

}  // namespace trestle::math
