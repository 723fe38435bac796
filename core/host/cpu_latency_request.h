#pragma once

#include "core/base/time.h"

namespace trestle::host {

/// While this object exists, the kernel keeps every CPU of this host out of sleep states
/// that take longer to leave: a waiting thread is woken sooner, and the host uses more
/// power. Ends with the process at the latest. Needs root, or write access to
/// /dev/cpu_dma_latency. Source: Linux, Documentation/power/pm_qos_interface.rst.
class CpuLatencyRequest {
 public:
  /// @param most  to leave a sleep state; zero: an idle CPU polls
  explicit CpuLatencyRequest(Duration most) noexcept;
  ~CpuLatencyRequest();
  CpuLatencyRequest(const CpuLatencyRequest&) = delete;
  CpuLatencyRequest& operator=(const CpuLatencyRequest&) = delete;

  /// Returns true if the kernel accepted the request; otherwise nothing changes.
  bool granted() const noexcept { return device_ >= 0; }

 private:
  int device_ = -1;  // the request stands while this is open
};

}  // namespace trestle::host
