#include "core/host/host_facts.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>

#include "core/host/capability.h"
#include "core/host/realtime_scheduling.h"
#include "core/host/system_file.h"

namespace trestle::host {
namespace {

constexpr int kHighestPriority = 99;

rlim_t soft_limit(__rlimit_resource resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0;
}

int allowed_priority() {
  if (has_capability(Capability::kSysNice)) return kHighestPriority;
  return static_cast<int>(std::min<rlim_t>(soft_limit(RLIMIT_RTPRIO), kHighestPriority));
}

std::optional<unsigned long> lockable_memory() {
  const rlim_t limit = soft_limit(RLIMIT_MEMLOCK);
  if (limit == RLIM_INFINITY || has_capability(Capability::kIpcLock)) return std::nullopt;
  return limit;
}

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

std::vector<std::string> governors_of(const std::vector<int>& cpus) {
  std::vector<std::string> governors;
  for (const int cpu : cpus) {
    const auto governor = system_file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                      "/cpufreq/scaling_governor");
    if (governor &&
        std::find(governors.begin(), governors.end(), *governor) == governors.end())
      governors.push_back(*governor);
  }
  return governors;
}

std::optional<long> realtime_share() {
  const auto share = system_file("/proc/sys/kernel/sched_rt_runtime_us");
  const auto period = system_file("/proc/sys/kernel/sched_rt_period_us");
  if (!share) return std::nullopt;
  const long us = std::strtol(share->c_str(), nullptr, 10);
  const long of = period ? std::strtol(period->c_str(), nullptr, 10) : 0;
  return us < 0 || of <= 0 ? us : us * 1'000'000 / of;
}

}  // namespace

bool is_preempt_rt(std::string_view realtime, std::string_view version) {
  return realtime == "1" || version.find("PREEMPT_RT") != std::string_view::npos ||
         version.find("PREEMPT RT") != std::string_view::npos;
}

bool is_virtual_machine(std::string_view cpuinfo) {
  const std::size_t flags = cpuinfo.find("\nflags");
  if (flags == std::string_view::npos) return false;
  const std::string_view line =
      cpuinfo.substr(flags + 1, cpuinfo.find('\n', flags + 1) - flags - 1);
  return line.find(" hypervisor") != std::string_view::npos;
}

HostFacts read_host_facts(const TimerMeasurement& timer) {
  HostFacts facts;
  utsname names{};
  if (uname(&names) == 0) facts.kernel = names.release;
  const std::vector<int> cpus = usable_cpus();
  facts.preempt_rt =
      is_preempt_rt(system_file("/sys/kernel/realtime").value_or(""), names.version);
  facts.virtual_machine = is_virtual_machine(system_file("/proc/cpuinfo").value_or(""));
  facts.fifo_priority = allowed_priority();
  facts.lockable = lockable_memory();
  facts.cpus = static_cast<int>(cpus.size());
  facts.isolated = system_file("/sys/devices/system/cpu/isolated").value_or("");
  facts.governors = governors_of(cpus);
  facts.clock_source =
      system_file("/sys/devices/system/clocksource/clocksource0/current_clocksource")
          .value_or("");
  facts.realtime_share_us = realtime_share();
  facts.discipline = read_clock_discipline();

  facts.timer = timer;
  TimerMeasurement ordinary = timer;
  ordinary.priority = 0;
  facts.ordinary = measure_timer(ordinary);
  TimerMeasurement fifo = timer;
  if (facts.fifo_priority > 0)
    fifo.priority = std::min(timer.priority, facts.fifo_priority);
  facts.fifo = measure_timer(fifo);
  if (!facts.fifo) facts.fifo_refusal = facts.fifo.error().detail;
  return facts;
}

}  // namespace trestle::host
