#pragma once

#include <cstdint>
#include <ctime>

namespace trestle::udp_target {

/// The host's monotonic clock; asking it neither blocks nor enters the kernel.
inline std::int64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace trestle::udp_target
