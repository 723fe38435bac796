#pragma once

#include <cstdint>
#include <ctime>

namespace trestle::scpi_tcp {

/// The host's monotonic clock; the call neither blocks nor enters the kernel.
inline std::int64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace trestle::scpi_tcp
