#include "core/host/cpu_latency_request.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

namespace trestle::host {
namespace {

/// What the kernel keeps to now, of all who asked [us].
std::optional<std::int32_t> in_force() {
  const int device = open("/dev/cpu_dma_latency", O_RDONLY | O_CLOEXEC);
  if (device < 0) return std::nullopt;
  std::int32_t value = -1;
  const bool whole = read(device, &value, sizeof value) == sizeof value;
  close(device);
  return whole ? std::optional(value) : std::nullopt;
}

TEST(CpuLatencyRequest, StandsWhileItLives) {
  const std::optional<std::int32_t> before = in_force();
  {
    const CpuLatencyRequest request{std::chrono::microseconds(3)};
    if (!request.granted() || !before) GTEST_SKIP() << "needs /dev/cpu_dma_latency";
    EXPECT_LE(in_force(), 3);
    const CpuLatencyRequest less{Duration::zero()};
    EXPECT_EQ(in_force(), 0);
  }
  // Other processes may ask at the same time.
  if (before > 3) {
    EXPECT_GT(in_force(), 3);
  }
}

}  // namespace
}  // namespace trestle::host
