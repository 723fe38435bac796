#pragma once

#include <chrono>
#include <string>

#include "core/host/chrony_tracking.h"
#include "core/types/result.h"
#include "core/types/time.h"

namespace trestle {

/// How well the host's system clock is kept, by whom, and as of when.
struct ClockDiscipline {
  std::string source;  ///< "chrony, 192.0.2.1" or "kernel"
  std::chrono::steady_clock::time_point read{};
  Duration bound{};     ///< |system clock − true time| when it was read, at most
  double growth = 0.0;  ///< of the bound since then [s/s]
};

/// The system clock and the monotonic one at the same moment.
struct ClockInstant {
  std::chrono::steady_clock::time_point monotonic{};
  TimePoint system{};  ///< since 1970
  Duration apart{};    ///< the moments differ by no more
};

/// Both clocks in one look: the narrowest of some pairs. Cheap, no allocation.
ClockInstant read_clocks() noexcept;

/// What adjtimex(2) says: whether someone keeps the clock, and its largest error [us].
struct KernelClock {
  bool synchronised = false;
  long maximum_error_us = 0;
};
Result<KernelClock> read_kernel_clock();

/// The kernel's own bound, good until the next second: `maxerror` is raised by 500 us once
/// a second, so that up to those are added. PTP's phc2sys sets it to zero, so that with it
/// the 500 us are all there is; who trusts that clock better has to ask chrony.
/// @returns why it cannot be trusted, where nobody keeps the clock
Result<ClockDiscipline> discipline(const KernelClock& kernel);
Result<ClockDiscipline> discipline(const ChronyTracking& tracking);

/// chrony's word where it is there and synchronised, else the kernel's. Takes some
/// milliseconds; not for a thread that ticks. @returns why the clock cannot be trusted
Result<ClockDiscipline> read_discipline();

/// |system clock − true time| at this moment, at most.
Duration bound_at(const ClockDiscipline& discipline,
                  std::chrono::steady_clock::time_point now) noexcept;

/// A node's own clock and its host's system clock at the same moment.
struct SystemClockReading {
  TimePoint own{};
  TimePoint system{};
  Duration bound{};  ///< |system clock − true time|, at most
};

struct SystemClockComparison {
  Duration offset{};  ///< the other's own clock less ours, when `here` was read
  Duration bound{};   ///< of the error: both bounds, and what the clocks drift between the
                      ///< readings
};

/// Two nodes' clocks by way of their hosts' system clocks: no message's delay is in it.
/// @param drift  of an own clock against true time, at most [s/s]
SystemClockComparison compare(const SystemClockReading& here,
                              const SystemClockReading& there,
                              double drift = 200e-6) noexcept;

}  // namespace trestle
