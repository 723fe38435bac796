#include "core/host/realtime_scheduling.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/host/capability.h"
#include "core/host/system_file.h"

namespace trestle::host {
namespace {

using Steady = std::chrono::steady_clock;

unsigned long own_limit(__rlimit_resource resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0;
}

std::string reason(int error) {
  return std::generic_category().message(error);
}

timespec on_monotonic_clock(Steady::time_point due) noexcept {
  const std::int64_t ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(due.time_since_epoch()).count();
  timespec time{};
  time.tv_sec = static_cast<time_t>(ns / 1'000'000'000);
  time.tv_nsec = static_cast<long>(ns % 1'000'000'000);
  return time;
}

}  // namespace

std::string fifo_refusal(int priority, int error, unsigned long allowed) {
  const std::string asked = "SCHED_FIFO with priority " + std::to_string(priority);
  if (error != EPERM) return asked + " is refused: " + reason(error);
  if (allowed >= static_cast<unsigned long>(priority))
    return asked +
           " is refused although the limit (ulimit -r) allows it: the control group has no "
           "real-time share (cpu.rt_runtime_us); run outside of it, or give it one";
  return asked + " is not allowed, the limit (ulimit -r) is " + std::to_string(allowed) +
         ": add `USER - rtprio " + std::to_string(std::max(priority, kWatchPriority)) +
         "` to /etc/security/limits.conf and log in again, or run `setcap "
         "cap_sys_nice,cap_ipc_lock+ep` on the program";
}

std::string lock_refusal(int error, unsigned long allowed) {
  if (error != EPERM && error != ENOMEM && error != EAGAIN)
    return "memory cannot be locked: " + reason(error);
  return "memory is not locked against paging, the limit (ulimit -l) is " +
         std::to_string(allowed / 1024) +
         " KiB: add `USER - memlock unlimited` to /etc/security/limits.conf and log in "
         "again, or run `setcap cap_sys_nice,cap_ipc_lock+ep` on the program";
}

HostRequestError set_fifo_priority(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  const int policy = priority > 0 ? SCHED_FIFO : SCHED_OTHER;
  const int error = pthread_setschedparam(pthread_self(), policy, &parameters);
  if (error == 0) return std::nullopt;
  // No limit counts for a process with the capability: what refuses is the control group.
  return fifo_refusal(
      priority, error,
      has_capability(Capability::kSysNice) ? RLIM_INFINITY : own_limit(RLIMIT_RTPRIO));
}

HostRequestError lock_memory(LaterMemory later) {
  const unsigned long allowed = own_limit(RLIMIT_MEMLOCK);
  // Under a limit MCL_FUTURE lets later allocations fail, in place of not being locked.
  const bool any_amount = allowed == RLIM_INFINITY || has_capability(Capability::kIpcLock);
  const bool at_once = any_amount && later == LaterMemory::kAtOnce;
  if (mlockall(at_once ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) != 0)
    return lock_refusal(errno, allowed);
  // A separate call: what is there already stays locked whole.
  if (any_amount && !at_once && mlockall(MCL_FUTURE | MCL_ONFAULT) != 0)
    return lock_refusal(errno, allowed);
  if (any_amount) return std::nullopt;
  return "memory is locked as it is now, but not what comes later: " +
         lock_refusal(ENOMEM, allowed);
}

HostRequestError pin_to_cpu(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &set);
  const int error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  if (error == 0) return std::nullopt;
  return "the thread cannot stay on CPU " + std::to_string(cpu) + " (" + reason(error) +
         "): `nproc` and `taskset -p $$` say which ones this process may use";
}

HostRequestError minimise_timer_slack() {
  if (prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) == 0) return std::nullopt;
  return "timers of ordinary threads stay up to 50 us late, PR_SET_TIMERSLACK is "
         "refused: " +
         reason(errno);
}

int set_fifo_priority_by_thread_name(std::string_view name, int priority) {
  int found = 0;
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    const std::string comm = system_file(task.path().string() + "/comm").value_or("");
    if (!comm.starts_with(name)) continue;
    const sched_param parameters{.sched_priority = priority};
    const pid_t thread = std::atoi(task.path().filename().c_str());
    sched_setscheduler(thread, priority > 0 ? SCHED_FIFO : SCHED_OTHER, &parameters);
    ++found;
  }
  return found;
}

void sleep_until(Steady::time_point due, Duration spin) noexcept {
  const timespec wake = on_monotonic_clock(due - spin);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr) == EINTR) {
  }
  while (Steady::now() < due) {
  }
}

}  // namespace trestle::host
