#include "studies/campaign/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trestle::campaign {
namespace {

/// @pre !sorted.empty()
double percentile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Statistics statistics_of(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::erase_if(sorted, [](double value) { return std::isnan(value); });
  if (sorted.empty()) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {0, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  }
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  double sum = 0.0;
  for (const double value : sorted) sum += value;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  return {sorted.size(),
          mean,
          sorted.size() < 2 ? 0.0 : std::sqrt(squares / (count - 1.0)),
          percentile(sorted, 0.05),
          percentile(sorted, 0.50),
          percentile(sorted, 0.95),
          sorted.front(),
          sorted.back()};
}

}  // namespace trestle::campaign
