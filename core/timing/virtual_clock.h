#pragma once

#include "core/ports/clock.h"

namespace trestle::timing {

/// Time that advances only when no node has pending work; then it jumps.
class VirtualClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return now_; }
  void advance_to(TimePoint until) noexcept override {
    if (until > now_) now_ = until;
  }

 private:
  TimePoint now_{};
};

}  // namespace trestle::timing
