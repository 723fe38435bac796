#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/host/system_clock.h"
#include "core/host/timer_latency.h"

namespace trestle::host {

/// The properties of the host that decide whether a control thread can keep its period. A
/// text is empty if the host does not report it.
struct HostFacts {
  std::string kernel;  ///< release: "6.1.0-18-rt-amd64"
  bool preempt_rt = false;
  bool virtual_machine = false;
  int fifo_priority = 0;                  ///< highest that we are allowed; 0: none
  std::string fifo_refusal;               ///< why none
  std::optional<unsigned long> lockable;  ///< memory [bytes]; nothing: any
  int cpus = 0;                           ///< that this process may use
  std::string isolated;                   ///< CPUs, as the kernel writes them: "2-3"
  std::vector<std::string> governors;     ///< those in use
  std::string clock_source;               ///< of the kernel: "tsc"
  std::optional<long> realtime_share_us;  ///< of each second for SCHED_FIFO; -1: all
  Result<ClockDiscipline> discipline = Error{ErrorCode::kUnavailable, "not asked"};
  TimerMeasurement timer;  ///< measurement, with this priority or the highest allowed
  Result<TimerLatency> ordinary = Error{ErrorCode::kUnavailable, "not measured"};
  Result<TimerLatency> fifo = Error{ErrorCode::kUnavailable, "not measured"};
};

/// Reads them, and measures the timers for twice `timer.length`: with ordinary scheduling,
/// and with SCHED_FIFO at `timer.priority` or, where that is not allowed, at the highest.
HostFacts read_host_facts(const TimerMeasurement& timer);

/// Evaluates /sys/kernel/realtime ("1") and `uname -v` ("#1 SMP PREEMPT_RT Debian ...").
bool is_preempt_rt(std::string_view realtime, std::string_view version);

/// Evaluates the text of /proc/cpuinfo: on x86 a hypervisor sets a flag.
bool is_virtual_machine(std::string_view cpuinfo);

}  // namespace trestle::host
