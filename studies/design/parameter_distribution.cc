#include "studies/design/parameter_distribution.h"

#include <cmath>

#include "studies/design/normal_quantile.h"

namespace trestle::design {
namespace {

/// A normal or log-normal value, made of one of mean 0 and standard deviation 1.
double from_standard(const ParameterDistribution& spread, double normal) noexcept {
  if (spread.kind == ParameterDistribution::Kind::kNormal)
    return spread.mean + spread.sd * normal;
  const double ratio = spread.sd / spread.mean;
  const double variance = std::log1p(ratio * ratio);
  return std::exp(std::log(spread.mean) - 0.5 * variance + std::sqrt(variance) * normal);
}

}  // namespace

double draw(const ParameterDistribution& spread, const RandomKey& place) noexcept {
  if (spread.kind == ParameterDistribution::Kind::kUniform)
    return spread.low + (spread.high - spread.low) * uniform(place);
  return from_standard(spread, standard_normal(place));
}

double quantile(const ParameterDistribution& spread, double probability) noexcept {
  if (spread.kind == ParameterDistribution::Kind::kUniform)
    return spread.low + (spread.high - spread.low) * probability;
  return from_standard(spread, normal_quantile(probability));
}

}  // namespace trestle::design
