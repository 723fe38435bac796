#pragma once

#include <cstdint>
#include <vector>

namespace trestle::sensitivity {

/// An estimate with an interval of 95 % about it; NaN: none.
struct IntervalEstimate {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Which share of a result's variance the parameters cause.
struct SobolIndices {
  double mean = 0.0;
  double variance = 0.0;
  std::vector<IntervalEstimate> first;  ///< of each parameter alone
  std::vector<IntervalEstimate> total;  ///< with all that it does together with others
};

struct BootstrapSettings {
  int replicates = 0;  ///< 0: no intervals
  std::uint64_t seed = 0;
};

/// First-order indices after Saltelli et al. (2010), total ones after Jansen (1999); the
/// intervals are percentiles of a bootstrap over the rows.
/// @param rows  results of one row each: f(a), f(b), and for each parameter f(a with that
///              coordinate of b); all finite
/// @returns NaN throughout where there are fewer than two rows, or no variance
SobolIndices sobol_indices(const std::vector<std::vector<double>>& rows,
                           std::size_t parameters, const BootstrapSettings& bootstrap);

}  // namespace trestle::sensitivity
