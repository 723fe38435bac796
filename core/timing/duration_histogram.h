#pragma once

#include <array>
#include <cstdint>

#include "core/base/time.h"

namespace trestle::timing {

/// How long something took, over and over: quantiles without keeping the values.
///
/// Sixteen buckets to an octave, so that a quantile is at most 1/16 too large; fixed size,
/// add() neither allocates nor loops.
class DurationHistogram {
 public:
  /// A negative duration counts as zero.
  void add(Duration duration) noexcept;

  std::int64_t count() const noexcept { return count_; }
  /// The largest, exactly; zero if nothing was added.
  Duration max() const noexcept { return Duration{max_}; }
  /// Upper edge of the bucket in which the quantile lies, and never above max().
  /// @pre 0 <= fraction <= 1
  Duration quantile(double fraction) const noexcept;

 private:
  // Exact below 16 ns, then 16 buckets for each of the other 59 octaves of 63 bits.
  static constexpr int kPerOctave = 16;
  static constexpr int kBuckets = kPerOctave * 60;

  static int bucket(std::int64_t ns) noexcept;
  static std::int64_t upper_edge(int bucket) noexcept;

  std::array<std::int64_t, kBuckets> counts_{};
  std::int64_t count_ = 0;
  std::int64_t max_ = 0;
};

}  // namespace trestle::timing
