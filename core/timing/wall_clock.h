#pragma once

#include <chrono>

#include "core/ports/clock.h"
#include "core/ports/transport.h"

namespace trestle {

/// The host's monotonic clock, from the moment it was made. A stepped wall clock changes
/// nothing. Time passes in Transport::wait(), which a message ends early.
class WallClock final : public Clock {
 public:
  explicit WallClock(Transport& transport)
      : transport_(transport), start_(std::chrono::steady_clock::now()) {}

  TimePoint now() const noexcept override;
  void pass(TimePoint until) noexcept override;

 private:
  Transport& transport_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace trestle
