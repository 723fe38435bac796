#pragma once

#include "core/base/random.h"

namespace trestle::design {

/// How a parameter spreads.
struct ParameterDistribution {
  enum class Kind { kNormal, kUniform, kLogNormal };

  Kind kind = Kind::kNormal;
  double mean = 1.0;  ///< of the value itself, not of its logarithm
  double sd = 0.0;    ///< standard deviation of the value
  double low = 0.0;   ///< uniform: low <= value < high
  double high = 1.0;
};

/// Returns the value at this place. It does not depend on the caller or on the order of
/// calls.
///
/// Log-normal: exp(mu + s n) with s² = ln(1 + sd²/mean²), mu = ln(mean) − s²/2.
double draw(const ParameterDistribution& spread, const RandomKey& place) noexcept;

/// The value that a draw does not exceed with this probability.
/// @param probability  in (0, 1)
double quantile(const ParameterDistribution& spread, double probability) noexcept;

}  // namespace trestle::design
