#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/host/chrony_tracking.h"
#include "core/types/system_clock_reading.h"

namespace trestle::host {

/// The synchronisation of the host's system clock: error bound, source and time.
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

/// The report of adjtimex(2): whether the clock is synchronised, and its largest error
/// [us].
struct KernelClock {
  bool synchronised = false;
  long maximum_error_us = 0;
};
Result<KernelClock> read_kernel_clock();

/// Returns the kernel's own bound, valid until the next second: the kernel raises
/// `maxerror` by 500 us once a second, so up to 500 us are added. phc2sys of PTP sets
/// `maxerror` to zero, so its bound is 500 us; query chrony for a better one.
/// @returns why the clock is not trusted, if it is not synchronised
Result<ClockDiscipline> discipline(const KernelClock& kernel);
Result<ClockDiscipline> discipline(const ChronyTracking& tracking);

/// Returns chrony's report if it runs and is synchronised, otherwise the kernel's. Takes
/// some milliseconds; not for a thread that ticks. @returns why the clock cannot be trusted
Result<ClockDiscipline> read_clock_discipline();

/// |system clock − true time| at this moment, at most.
Duration bound_at(const ClockDiscipline& discipline,
                  std::chrono::steady_clock::time_point now) noexcept;

/// The host's system clock for a node whose own clock shows zero at `zero`. refresh()
/// queries the synchronisation and takes some milliseconds; read() uses its last result.
class SystemClockSource {
 public:
  explicit SystemClockSource(std::chrono::steady_clock::time_point zero) : zero_(zero) {}

  /// Why the clock cannot be trusted now, or empty.
  std::string refresh();
  /// By what was found last. Cheap, no allocation.
  std::optional<SystemClockReading> read() const noexcept;
  /// Returns the source that synchronises the clock.
  std::string name() const { return discipline_ ? discipline_->source : std::string(); }

 private:
  std::chrono::steady_clock::time_point zero_;
  std::optional<ClockDiscipline> discipline_;
};

}  // namespace trestle::host
