#include "numerical/evaluation/cross_correlation.h"

#include <cmath>

namespace trestle {
namespace {

// Of the energy: what the rounding of a transform may feign.
constexpr double kEqual = 1e-13;

}  // namespace

std::int64_t samples_late(const PairSpectrum& pair) {
  const std::vector<double> correlation = pair.cross_correlation();
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

}  // namespace trestle
