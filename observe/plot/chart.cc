#include "observe/plot/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trestle::plot {

ValueRange ValueRange::none() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  return {kNaN, kNaN};
}

void ValueRange::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::isnan(low) ? value : std::min(low, value);
  high = std::isnan(high) ? value : std::max(high, value);
}

void ValueRange::include(const std::vector<double>& values) {
  for (const double value : values) include(value);
}

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace trestle::plot
