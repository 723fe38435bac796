#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace trestle::host {

/// Empty if the host granted the request. Otherwise one sentence: why not, and what to
/// change.
using HostRequestError = std::optional<std::string>;

/// The requests of a control thread to the host before it starts to tick. Each affects the
/// calling thread, except lock_memory(), which affects the process.

/// SCHED_FIFO; 0: ordinary scheduling.
/// @pre 0 <= priority <= 99
HostRequestError set_fifo_priority(int priority);

/// When memory that comes later is locked.
enum class LaterMemory {
  kAtOnce,       ///< whole, when it is taken
  kWhenTouched,  ///< page by page: what is taken and never used costs no memory
};

/// Locks all present and future memory of the process. If the limit is too small for future
/// memory, it locks only the present memory, and the sentence says so.
HostRequestError lock_memory(LaterMemory later = LaterMemory::kAtOnce);

/// The thread stays on this CPU.
HostRequestError pin_to_cpu(int cpu);

/// Timers of an ordinary thread fire when they are due, and not up to 50 us later to save
/// power.
HostRequestError minimise_timer_slack();

/// SCHED_FIFO for all threads of this process whose name begins so: those of a library that
/// carries messages. 0: ordinary scheduling. @returns how many there are
int set_fifo_priority_by_thread_name(std::string_view name, int priority);

/// Sleeps until `spin` before `due`, then polls the clock until it is due. Returns
/// immediately if `due` has passed. No allocation, no lock.
void sleep_until(std::chrono::steady_clock::time_point due, Duration spin) noexcept;

/// The priority of the threads that watch a control thread and hold its rig: above any
/// control thread, so that one that spins cannot keep them from running. A host has to
/// allow it: service, limits and container do (tests/deploy/priorities_test.sh).
constexpr int kWatchPriority = 95;

/// Formats the refusal of set_fifo_priority(). @param allowed  RLIMIT_RTPRIO, or no limit
std::string fifo_refusal(int priority, int error, unsigned long allowed);

/// Formats the refusal of lock_memory(). @param allowed  RLIMIT_MEMLOCK [bytes]
std::string lock_refusal(int error, unsigned long allowed);

}  // namespace trestle::host
