#include "core/host/cpu_latency_request.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace trestle::host {

CpuLatencyRequest::CpuLatencyRequest(Duration most) noexcept
    : device_(open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC)) {
  if (device_ < 0) return;
  using std::chrono::microseconds;
  const auto asked = std::chrono::duration_cast<microseconds>(most).count();
  const auto value = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(asked, 0, std::numeric_limits<std::int32_t>::max()));
  if (write(device_, &value, sizeof value) == sizeof value) return;
  close(device_);
  device_ = -1;
}

CpuLatencyRequest::~CpuLatencyRequest() {
  if (device_ >= 0) close(device_);
}

}  // namespace trestle::host
