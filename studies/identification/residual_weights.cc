#include "studies/identification/residual_weights.h"

namespace trestle::identification {
namespace {

constexpr int kRounds = 4;

}  // namespace

ResidualWeights::ResidualWeights(const IdentificationProblem& problem, std::size_t passes)
    : problem_(problem), passes_(passes) {}

bool ResidualWeights::next(const ParameterEstimate& last) {
  const bool by_reading = problem_.noise.kind == NoiseKind::kOfReading &&
                          problem_.noise.level.value_or(1.0) > 0.0;
  if (round_ == (by_reading ? kRounds : 1)) return false;
  if (round_ == 0) {
    weights_ = peak_weights(problem_, passes_);
  } else {
    const StackedResponse response =
        respond(problem_, last.parameters, last.road, Sensitivities::kWithout, passes_);
    weights_ = trestle::identification::weights(problem_, response.values, passes_);
  }
  if (problem_.noise.level.value_or(0.0) > 0.0) weights_ /= *problem_.noise.level;
  ++round_;
  return true;
}

}  // namespace trestle::identification
