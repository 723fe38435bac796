#include "core/host/system_clock.h"

#include <sys/timex.h>
#include <time.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

namespace trestle::host {
namespace {

using Steady = std::chrono::steady_clock;

// The kernel raises maxerror by so much at the end of each second (MAXFREQ).
constexpr double kKernelGrowth = 500e-6;
constexpr Duration kKernelStep = std::chrono::microseconds(500);
// Beside the skew, what a crystal may do until chronyd looks again: its own default
// (maxclockerror).
constexpr double kChronyGrowth = 1e-6;
// The kernel's largest value, at which it counts the clock as not synchronised.
constexpr long kUnsynchronised = 16'000'000;
constexpr int kPairs = 5;

TimePoint system_now() noexcept {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return TimePoint(std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec));
}

Duration grown(double rate, Duration age) noexcept {
  return Duration(static_cast<std::int64_t>(
      std::ceil(rate * std::abs(static_cast<double>(age.count())))));
}

}  // namespace

ClockInstant read_clocks() noexcept {
  ClockInstant best;
  for (int i = 0; i < kPairs; ++i) {
    const Steady::time_point before = Steady::now();
    const TimePoint system = system_now();
    const Steady::time_point after = Steady::now();
    const Duration half = (after - before + Duration(1)) / 2;
    if (i == 0 || half < best.apart) best = {before + (after - before) / 2, system, half};
  }
  return best;
}

Result<KernelClock> read_kernel_clock() {
  timex state{};
  const int outcome = adjtimex(&state);
  if (outcome < 0)
    return Error{ErrorCode::kUnavailable,
                 std::string("the kernel does not say how the clock is kept: ") +
                     std::generic_category().message(errno)};
  return KernelClock{outcome != TIME_ERROR && (state.status & STA_UNSYNC) == 0,
                     state.maxerror};
}

Result<ClockDiscipline> discipline(const KernelClock& kernel) {
  if (!kernel.synchronised || kernel.maximum_error_us < 0 ||
      kernel.maximum_error_us >= kUnsynchronised)
    return Error{ErrorCode::kUnavailable,
                 "nobody keeps the system clock (the kernel calls it unsynchronised)"};
  return ClockDiscipline{"kernel", Steady::now(),
                         std::chrono::microseconds(kernel.maximum_error_us) + kKernelStep,
                         kKernelGrowth};
}

Result<ClockDiscipline> discipline(const ChronyTracking& tracking) {
  return ClockDiscipline{"chrony, " + tracking.reference, Steady::now(), tracking.bound,
                         tracking.skew + kChronyGrowth};
}

Result<ClockDiscipline> read_clock_discipline() {
  const Result<ChronyTracking> chrony = query_chrony();
  if (chrony) return discipline(chrony.value());
  const Result<KernelClock> kernel = read_kernel_clock();
  if (!kernel) return kernel.error();
  Result<ClockDiscipline> by_kernel = discipline(kernel.value());
  if (by_kernel) return by_kernel;
  return Error{ErrorCode::kUnavailable,
               by_kernel.error().detail + ", and " + chrony.error().detail};
}

Duration bound_at(const ClockDiscipline& discipline, Steady::time_point now) noexcept {
  return discipline.bound + grown(discipline.growth, now - discipline.read);
}

std::string SystemClockSource::refresh() {
  const Result<ClockDiscipline> found = read_clock_discipline();
  discipline_.reset();
  if (!found) return found.error().detail;
  discipline_ = found.value();
  return {};
}

std::optional<SystemClockReading> SystemClockSource::read() const noexcept {
  if (!discipline_) return std::nullopt;
  const ClockInstant instant = read_clocks();
  return SystemClockReading{
      TimePoint{std::chrono::duration_cast<Duration>(instant.monotonic - zero_)},
      instant.system, bound_at(*discipline_, instant.monotonic) + instant.apart};
}

}  // namespace trestle::host
