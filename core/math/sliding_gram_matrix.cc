#include "core/math/sliding_gram_matrix.h"

#include <algorithm>
#include <cassert>

namespace trestle::math {
namespace {

// 53 bits a value, which a double of a snapshot holds, 106 a product, 126 the sum of 2^20.
constexpr double kPerUnit = 2'199'023'255'552.0;      // 2^41
constexpr double kLargest = 9'007'199'254'740'992.0;  // 2^53

std::int64_t whole(double value) noexcept {
  // In this order a value that is no number becomes a bound, too.
  const double bounded = std::max(-kLargest, std::min(kLargest, value * kPerUnit));
  return static_cast<std::int64_t>(bounded + (bounded < 0.0 ? -0.5 : 0.5));
}

}  // namespace

SlidingGramMatrix::SlidingGramMatrix(int columns, int window)
    : columns_(columns),
      window_(window),
      ring_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(window)),
      sums_(static_cast<std::size_t>(columns * (columns + 1) / 2)) {
  assert(columns >= 1 && columns <= kMaxColumns);
  assert(window >= 1 && window <= kMaxWindow);
}

void SlidingGramMatrix::reset() noexcept {
  clear_sums();
  rows_ = 0;
  next_ = 0;
}

void SlidingGramMatrix::add(const double* values) noexcept {
  std::int64_t* const slot = row(next_);
  const bool leaves = full();
  std::int64_t fresh[kMaxColumns] = {};
  for (int i = 0; i < columns_; ++i) fresh[i] = whole(values[i]);
  Wide* sum = sums_.data();
  for (int i = 0; i < columns_; ++i)
    for (int j = 0; j <= i; ++j, ++sum) {
      *sum += Wide{fresh[i]} * fresh[j];
      if (leaves) *sum -= Wide{slot[i]} * slot[j];
    }
  std::copy_n(fresh, columns_, slot);
  if (!leaves) ++rows_;
  next_ = next_ + 1 < window_ ? next_ + 1 : 0;
}

double SlidingGramMatrix::sum(int i, int j) const noexcept {
  const int low = std::min(i, j);
  const int high = std::max(i, j);
  const auto row_start =
      static_cast<std::size_t>(high) * (static_cast<std::size_t>(high) + 1) / 2;
  const Wide value = sums_[row_start + static_cast<std::size_t>(low)];
  return static_cast<double>(value) * (1.0 / kPerUnit) * (1.0 / kPerUnit);
}

void SlidingGramMatrix::save(SnapshotWriter& snapshot) const {
  for (const std::int64_t value : ring_) snapshot.add(static_cast<double>(value));
  snapshot.add(rows_);
  snapshot.add(next_);
}

void SlidingGramMatrix::restore(SnapshotReader& snapshot) {
  for (std::int64_t& value : ring_) value = static_cast<std::int64_t>(snapshot.next());
  rows_ = static_cast<int>(snapshot.next());
  next_ = static_cast<int>(snapshot.next());
  clear_sums();
  for (int r = 0; r < rows_; ++r) {
    // While it fills the window starts at slot 0; afterwards every slot counts.
    const std::int64_t* const it = row(r);
    Wide* sum = sums_.data();
    for (int i = 0; i < columns_; ++i)
      for (int j = 0; j <= i; ++j, ++sum) *sum += Wide{it[i]} * it[j];
  }
}

std::int64_t* SlidingGramMatrix::row(int index) noexcept {
  return ring_.data() + static_cast<std::ptrdiff_t>(index) * columns_;
}

void SlidingGramMatrix::clear_sums() noexcept {
  std::fill(sums_.begin(), sums_.end(), Wide{0});
}

}  // namespace trestle::math
