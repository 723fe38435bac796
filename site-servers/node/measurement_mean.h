#pragma once

#include <utility>

#include "core/types/motion.h"

namespace trestle::site_node {

/// The measurement of a step: the mean of its reads; of a single read the unchanged bits.
///
/// Lives on the real-time thread.
class MeasurementMean {
 public:
  /// @param nothing  zeros, one for each value that the rig senses
  explicit MeasurementMean(Measurement nothing) : sum_(std::move(nothing)) {}

  void clear() noexcept { count_ = 0; }
  void add(const Measurement& sensed) noexcept;
  /// @param last  the last read: the answer where no more than one was added
  Measurement of(const Measurement& last) const noexcept;

  /// Reads that were added.
  int count() const noexcept { return count_; }
  const Measurement& sum() const noexcept { return sum_; }
  /// As a snapshot has it. @param sum  as long as the one that it replaces
  void take(const Measurement& sum, int count) noexcept;

 private:
  Measurement sum_;
  int count_ = 0;
};

}  // namespace trestle::site_node
