#pragma once

#include <cmath>
#include <cstdint>
#include <ctime>

namespace trestle::plugin {

/// Returns CLOCK_MONOTONIC, which all processes of a host share [ns]. The call neither
/// blocks nor enters the kernel.
inline std::int64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

/// Seconds in whole nanoseconds.
inline std::int64_t to_ns(double seconds) noexcept {
  return std::llround(seconds * 1e9);
}

}  // namespace trestle::plugin
