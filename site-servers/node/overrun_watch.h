#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/timing/duration_histogram.h"

namespace trestle::site_node {

/// Measures how late control ticks are, and detects too many late ones in a row. Lives on
/// the control thread.
class OverrunWatch {
 public:
  /// @param overrun  a tick later than this counts; 0: none does
  /// @param most     in a row
  OverrunWatch(Duration overrun, std::int64_t most) noexcept
      : overrun_(overrun), most_(most) {}

  /// A tick has this delay. @returns whether there are more in a row than allowed
  bool add(Duration late) noexcept;
  /// The next one is the first of a row.
  void forget_row() noexcept { in_a_row_ = 0; }
  Duration limit() const noexcept { return overrun_; }
  std::int64_t count() const noexcept { return overruns_; }
  /// How late the ticks came.
  const timing::DurationHistogram& lateness() const noexcept { return lateness_; }

 private:
  Duration overrun_;
  std::int64_t most_;
  std::int64_t in_a_row_ = 0;
  std::int64_t overruns_ = 0;
  timing::DurationHistogram lateness_;
};

}  // namespace trestle::site_node
