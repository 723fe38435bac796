#pragma once

#include <atomic>
#include <cstdint>

#include "core/base/time.h"

namespace trestle::characterisation {

/// Counts control ticks that begin too late. The thread that ticks adds; other threads may
/// read count() and longest().
class OverrunCounter {
 public:
  /// @param limit          a tick later than this counts
  /// @param max_consecutive  more are a fault
  OverrunCounter(Duration limit, std::int64_t max_consecutive)
      : limit_(limit), max_consecutive_(max_consecutive) {}

  void add(Duration late) noexcept;

  /// Whether more ticks in a row were late than are allowed.
  bool too_many() const noexcept { return in_a_row_ > max_consecutive_; }
  Duration limit() const noexcept { return limit_; }
  /// How late the last tick was.
  Duration last() const noexcept { return last_; }
  /// How late the latest of all ticks was.
  Duration longest() const noexcept {
    return Duration{longest_.load(std::memory_order_relaxed)};
  }
  std::int64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

 private:
  const Duration limit_;
  const std::int64_t max_consecutive_;
  std::atomic<std::int64_t> count_{0};
  std::atomic<std::int64_t> longest_{0};
  std::int64_t in_a_row_ = 0;
  Duration last_{};
};

}  // namespace trestle::characterisation
