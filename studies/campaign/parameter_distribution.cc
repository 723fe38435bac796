#include "studies/campaign/parameter_distribution.h"

#include <cmath>

namespace trestle {

double draw(const ParameterDistribution& spread, const RandomKey& place) noexcept {
  if (spread.kind == ParameterDistribution::Kind::kUniform)
    return spread.low + (spread.high - spread.low) * uniform(place);
  const double normal = standard_normal(place);
  if (spread.kind == ParameterDistribution::Kind::kNormal)
    return spread.mean + spread.sd * normal;
  const double ratio = spread.sd / spread.mean;
  const double variance = std::log1p(ratio * ratio);
  return std::exp(std::log(spread.mean) - 0.5 * variance + std::sqrt(variance) * normal);
}

}  // namespace trestle
