#include "core/evaluation/instability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace trestle::evaluation {
namespace {

constexpr std::size_t kHalfCycles = 10;
constexpr double kLeastGrowth = 0.05;  // of a half cycle over the one before, less one
constexpr double kScatter = 0.5;       // of each growth about their mean
constexpr double kFarFromBefore = 5.0;
constexpr double kFarFromTargets = 3.0;
constexpr double kLeastKept = 0.8;  // of the growth, from the first half to the last

/// The largest magnitudes of the last half cycles that are whole, the newest first.
struct HalfCycles {
  std::array<double, kHalfCycles> peak{};
  std::size_t count = 0;
};

HalfCycles last_half_cycles(std::span<const double> signal) {
  HalfCycles found;
  bool whole = false;  // the newest half cycle may be under way
  double peak = 0.0;
  for (std::size_t i = signal.size(); i-- > 0 && found.count < kHalfCycles;) {
    const bool ends =
        i + 1 < signal.size() && std::signbit(signal[i]) != std::signbit(signal[i + 1]);
    if (ends) {
      if (whole) found.peak[found.count++] = peak;
      whole = true;
      peak = 0.0;
    }
    peak = std::max(peak, std::abs(signal[i]));
  }
  return found;
}

double largest(std::span<const double> signal) {
  double most = 0.0;
  for (const double value : signal) most = std::max(most, std::abs(value));
  return most;
}

/// Over the rows from `from` to before `to`.
double largest_error(std::span<const double> target, std::span<const double> measured,
                     std::size_t from, std::size_t to) {
  double most = 0.0;
  for (std::size_t k = from; k < to; ++k)
    most = std::max(most, std::abs(measured[k] - target[k]));
  return most;
}

/// In the end the actuator is further from its target than any target was from zero, and
/// further than it was in the first half by far: noise beside small targets does not count.
bool runs_away(std::span<const double> target, std::span<const double> measured) {
  const std::size_t rows = target.size();
  const double late = largest_error(target, measured, rows - rows / 10, rows);
  const double early = largest_error(target, measured, 0, rows / 2);
  return late > largest(target) && late > kFarFromBefore * early;
}

}  // namespace

bool grows_steadily(std::span<const double> signal) {
  const HalfCycles cycles = last_half_cycles(signal);
  if (cycles.count < kHalfCycles) return false;
  std::array<double, kHalfCycles - 1> growth{};  // newest first
  double mean = 0.0;
  for (std::size_t i = 0; i < growth.size(); ++i) {
    growth[i] = cycles.peak[i] / cycles.peak[i + 1] - 1.0;
    mean += growth[i] / static_cast<double>(growth.size());
  }
  if (!(mean >= kLeastGrowth)) return false;
  for (const double one : growth)
    if (std::abs(one - mean) > kScatter * mean) return false;
  constexpr std::size_t kHalf = (kHalfCycles - 1) / 2;
  double newer = 0.0, older = 0.0;
  for (std::size_t i = 0; i < kHalf; ++i) {
    newer += growth[i];
    older += growth[growth.size() - 1 - i];
  }
  return newer >= kLeastKept * older;
}

bool shows_instability(const RunHistory& history, const CriteriaColumns& columns) {
  const auto column = [&history](int index) {
    return history.column(static_cast<std::size_t>(index));
  };
  for (const CriteriaColumns::Actuator& actuator : columns.actuators) {
    const std::span<const double> target = column(actuator.target);
    const std::span<const double> measured = column(actuator.measured);
    if (grows_steadily(target) || grows_steadily(measured)) return true;
    if (runs_away(target, measured)) return true;
  }
  return false;
}

bool ran_away(std::span<const double> targets, double drive) {
  const double most = largest(targets);
  return most > 0.0 && std::abs(drive) > kFarFromTargets * most;
}

}  // namespace trestle::evaluation
