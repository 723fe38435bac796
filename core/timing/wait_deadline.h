#pragma once

#include <algorithm>

#include "core/timing/deadline.h"

namespace trestle::timing {

/// The end of a wait. A sign of life may prolong the wait, but never
/// beyond its limit.
class WaitDeadline {
 public:
  TimePoint at() const noexcept { return at_; }
  bool passed(TimePoint now) const noexcept { return now >= at_; }

  void set(TimePoint from, Duration wait) noexcept { at_ = saturating_add(from, wait); }
  void clear() noexcept { at_ = TimePoint::max(); }
  /// Never earlier than it is.
  void extend(TimePoint from, Duration wait) noexcept {
    at_ = std::max(at_, saturating_add(from, wait));
  }
  /// Never later than it is.
  void shorten(TimePoint from, Duration wait) noexcept {
    at_ = std::min(at_, saturating_add(from, wait));
  }

  /// No sign of life counts from this moment on.
  void limit(TimePoint from, Duration wait) noexcept {
    limit_ = saturating_add(from, wait);
  }
  /// Restarts the wait at a sign of life, within the limit.
  void prolong(TimePoint now, Duration wait) noexcept {
    at_ = std::min(saturating_add(now, wait), limit_);
  }
  /// As prolong(), and never earlier than it is.
  void extend_within_limit(TimePoint now, Duration wait) noexcept {
    at_ = std::max(at_, std::min(saturating_add(now, wait), limit_));
  }

 private:
  TimePoint at_ = TimePoint::max();
  TimePoint limit_ = TimePoint::max();
};

}  // namespace trestle::timing
