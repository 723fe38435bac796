#pragma once

#include <chrono>

#include "core/ports/clock.h"
#include "core/ports/transport.h"

namespace trestle::timing {

/// The host's monotonic clock, from the moment it was made. A stepped wall clock changes
/// nothing. Time passes in Transport::wait(), which a message ends early; without a
/// transport in a plain sleep.
class MonotonicClock final : public Clock {
 public:
  explicit MonotonicClock(Transport& transport)
      : transport_(&transport), start_(std::chrono::steady_clock::now()) {}
  MonotonicClock() : start_(std::chrono::steady_clock::now()) {}

  TimePoint now() const noexcept override;
  void advance_to(TimePoint until) noexcept override;
  Duration asleep() const noexcept override;

  /// The same moment on the host's own axis.
  std::chrono::steady_clock::time_point steady(TimePoint time) const noexcept {
    return start_ + time.time_since_epoch();
  }

 private:
  Transport* transport_ = nullptr;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace trestle::timing
