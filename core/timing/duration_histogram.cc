#include "core/timing/duration_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace trestle::timing {
namespace {

constexpr int kSubBits = 4;  // 16 buckets to an octave

}  // namespace

void DurationHistogram::add(Duration duration) noexcept {
  const std::int64_t ns = std::max<std::int64_t>(duration.count(), 0);
  ++counts_[static_cast<std::size_t>(bucket(ns))];
  ++count_;
  max_ = std::max(max_, ns);
}

Duration DurationHistogram::quantile(double fraction) const noexcept {
  if (count_ == 0) return Duration::zero();
  const auto rank = std::max<std::int64_t>(
      static_cast<std::int64_t>(std::ceil(fraction * static_cast<double>(count_))), 1);
  std::int64_t seen = 0;
  for (int i = 0; i < kBuckets; ++i) {
    seen += counts_[static_cast<std::size_t>(i)];
    if (seen >= rank) return Duration{std::min(upper_edge(i), max_)};
  }
  return max();
}

int DurationHistogram::bucket(std::int64_t ns) noexcept {
  const auto value = static_cast<std::uint64_t>(ns);
  if (value < kPerOctave) return static_cast<int>(value);
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kSubBits;
  return (shift + 1) * kPerOctave + static_cast<int>((value >> shift) & (kPerOctave - 1));
}

std::int64_t DurationHistogram::upper_edge(int bucket) noexcept {
  if (bucket < kPerOctave) return bucket;
  const int shift = bucket / kPerOctave - 1;
  const int sixteenths = kPerOctave + bucket % kPerOctave;
  const auto base = static_cast<std::uint64_t>(sixteenths);
  return static_cast<std::int64_t>(((base + 1) << shift) - 1);
}

}  // namespace trestle::timing
