#pragma once

#include <cstddef>
#include <vector>

namespace trestle::campaign {

/// One quantity over many runs.
struct Statistics {
  std::size_t count = 0;
  double mean = 0.0;
  double sd = 0.0;  ///< of a sample (n − 1); 0 of a single one
  double p5 =
      0.0;  ///< percentiles, linear between the values in order (Hyndman and Fan's 7)
  double p50 = 0.0;
  double p95 = 0.0;
  double lowest = 0.0;
  double highest = 0.0;
};

/// Statistics of the values that are numbers; NaN throughout if there are no numbers.
Statistics statistics_of(const std::vector<double>& values);

}  // namespace trestle::campaign
