#include "studies/identification/global_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "studies/identification/reparametrisation.h"
#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/residual_weights.h"
#include "studies/identification/total_mass_projection.h"

namespace trestle::identification {
namespace {

constexpr std::array<int, 16> kPrimes{2,  3,  5,  7,  11, 13, 17, 19,
                                      23, 29, 31, 37, 41, 43, 47, 53};

/// The i-th number of van der Corput's sequence (Halton 1960), in (0, 1).
double halton(int i, int base) {
  double value = 0.0, part = 1.0;
  for (; i > 0; i /= base) {
    part /= base;
    value += part * (i % base);
  }
  return value;
}

}  // namespace

ParameterEstimate global_search(const IdentificationProblem& problem,
                                const GlobalSettings& settings,
                                const DescentLimits& limits) {
  const Reparametrisation variables(problem.vehicle, problem.unknown);
  const Eigen::VectorXd weights = peak_weights(problem, problem.passes.size());
  const Eigen::VectorXd middle = variables.theta(start_of(problem));
  std::vector<MassProjection> screened;
  for (int i = 0; i <= settings.points; ++i) {
    Eigen::VectorXd theta = middle;
    std::size_t dimension = 0;
    for (Eigen::Index j = 0; i > 0 && j < theta.size(); ++j)
      if (j != variables.total())
        theta(j) += std::log(settings.factor) *
                    (2.0 * halton(i, kPrimes[dimension++ % kPrimes.size()]) - 1.0);
    screened.push_back(
        fit_total_mass(problem, variables, theta, weights, problem.passes.size()));
  }
  const std::size_t kept =
      std::min(screened.size(), static_cast<std::size_t>(std::max(1, settings.refined)));
  std::partial_sort(screened.begin(), screened.begin() + static_cast<std::ptrdiff_t>(kept),
                    screened.end(), [](const MassProjection& a, const MassProjection& b) {
                      return a.cost < b.cost;
                    });
  ParameterEstimate best;
  int iterations = 0;
  DescentLimits rough = limits;
  rough.tolerance = 1e-4;
  for (std::size_t i = 0; i < kept; ++i) {
    const ParameterEstimate found = reparametrised_fit(
        problem, {screened[i].parameters, {}, 0, false, 0.0}, rough, problem.passes.size());
    iterations += found.iterations;
    if (i == 0 || found.cost < best.cost) best = found;
  }
  best = reparametrised_fit(problem, best, limits, problem.passes.size());
  best.iterations += iterations;
  return best;
}

}  // namespace trestle::identification
