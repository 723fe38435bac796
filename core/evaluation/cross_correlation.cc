#include "core/evaluation/cross_correlation.h"

#include <cmath>

namespace trestle::evaluation {
namespace {

// Relative to the energy: the rounding error of a transform.
constexpr double kEqual = 1e-13;

}  // namespace

std::int64_t delay_samples(const SignalPairSpectrum& pair) {
  const std::vector<double>& correlation = pair.cross_correlation();
  const double margin = kEqual * pair.energy();
  double best = std::abs(correlation[0]);
  std::int64_t lag = 0;
  for (std::size_t l = 1; l < pair.samples(); ++l) {
    const double late = std::abs(correlation[l]);
    const double early = std::abs(correlation[pair.length() - l]);
    if (late > best + margin) {
      best = late;
      lag = static_cast<std::int64_t>(l);
    }
    if (early > best + margin) {
      best = early;
      lag = -static_cast<std::int64_t>(l);
    }
  }
  return lag;
}

double delay_samples_interpolated(const SignalPairSpectrum& pair) {
  const auto lag = delay_samples(pair);
  const auto most = static_cast<std::int64_t>(pair.samples()) - 1;
  if (lag <= -most || lag >= most) return static_cast<double>(lag);
  const std::vector<double>& correlation = pair.cross_correlation();
  const auto length = static_cast<std::int64_t>(pair.length());
  const auto at = [&](std::int64_t l) {
    return std::abs(correlation[static_cast<std::size_t>((l + length) % length)]);
  };
  const double before = at(lag - 1);
  const double after = at(lag + 1);
  const double bend = before - 2.0 * at(lag) + after;
  if (!(bend < 0.0)) return static_cast<double>(lag);
  return static_cast<double>(lag) + 0.5 * (before - after) / bend;
}

}  // namespace trestle::evaluation
