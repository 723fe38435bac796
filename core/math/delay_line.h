#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "core/base/snapshot.h"

namespace trestle::math {

/// The last values of one signal, by their age in ticks. Zeros before the first.
class DelayLine {
 public:
  /// @param oldest  age of the last value that is kept, >= 0
  explicit DelayLine(int oldest) : values_(static_cast<std::size_t>(oldest) + 1) {
    assert(oldest >= 0);
  }

  void fill(double value) noexcept { std::fill(values_.begin(), values_.end(), value); }

  void push(double newest) noexcept {
    newest_ = newest_ > 0 ? newest_ - 1 : values_.size() - 1;
    values_[newest_] = newest;
  }

  /// @param age  0: the newest
  double operator[](int age) const noexcept {
    const std::size_t at = newest_ + static_cast<std::size_t>(age);
    return values_[at < values_.size() ? at : at - values_.size()];
  }

  void save(SnapshotWriter& snapshot) const {
    for (const double value : values_) snapshot.add(value);
    snapshot.add(static_cast<double>(newest_));
  }
  void restore(SnapshotReader& snapshot) {
    for (double& value : values_) value = snapshot.next();
    newest_ = static_cast<std::size_t>(snapshot.next());
  }

 private:
  std::vector<double> values_;  // a ring, backwards
  std::size_t newest_ = 0;
};

}  // namespace trestle::math
