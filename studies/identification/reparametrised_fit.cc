#include "studies/identification/reparametrised_fit.h"

#include <algorithm>
#include <array>

#include "studies/identification/reparametrisation.h"
#include "studies/identification/residual_test.h"
#include "studies/identification/residual_weights.h"
#include "studies/identification/total_mass_projection.h"

namespace trestle::identification {
namespace {

// Iterations of a fit that only tests another local minimum.
constexpr int kMostScoutIterations = 30;
constexpr double kLeastProgress = 0.02;
// All together, when nothing explains the readings.
constexpr int kMostIterations = 150;

/// The problem's residuals over (theta, road coefficients), priors below them.
class MapResidual {
 public:
  MapResidual(const IdentificationProblem& problem, const Reparametrisation& variables,
              const Eigen::VectorXd& weights, std::size_t passes)
      : problem_(problem),
        variables_(variables),
        weights_(weights),
        readings_(measured(problem, passes)),
        passes_(passes),
        middle_(variables.theta(start_of(problem))) {}

  Linearised operator()(const Eigen::VectorXd& x) const {
    const Eigen::Index n = problem_.parameter_count(), road = problem_.road_shapes;
    const Eigen::Index prior = problem_.prior_deviation > 0.0 ? n : 0;
    const Eigen::VectorXd parameters = variables_.parameters(x.head(n));
    const StackedResponse response =
        respond(problem_, parameters, x.tail(road), Sensitivities::kWith, passes_);
    const Eigen::Index rows = readings_.size();
    Linearised made{Eigen::VectorXd::Zero(rows + prior + road),
                    Eigen::MatrixXd::Zero(rows + prior + road, n + road)};
    made.residual.head(rows) = weights_.cwiseProduct(response.values - readings_);
    made.jacobian.topLeftCorner(rows, n) =
        weights_.asDiagonal() * (response.by_logarithm * variables_.slope(parameters));
    made.jacobian.topRightCorner(rows, road) = weights_.asDiagonal() * response.by_road;
    if (prior > 0) {
      made.residual.segment(rows, n) = (x.head(n) - middle_) / problem_.prior_deviation;
      made.jacobian.block(rows, 0, n, n)
          .diagonal()
          .setConstant(1.0 / problem_.prior_deviation);
    }
    made.residual.tail(road) = x.tail(road);
    made.jacobian.bottomRightCorner(road, road).diagonal().setOnes();
    return made;
  }

 private:
  const IdentificationProblem& problem_;
  const Reparametrisation& variables_;
  const Eigen::VectorXd& weights_;
  Eigen::VectorXd readings_;
  std::size_t passes_;
  Eigen::VectorXd middle_;
};

/// As `uncertainty()` judges, before it knows how much of the noise the fit has taken.
bool explains(const IdentificationProblem& problem, const ParameterEstimate& estimate) {
  return estimate.squares <=
         largest_square_sum(static_cast<double>(measured(problem).size()));
}

/// The guess, its total mass as the first passes show it.
ParameterEstimate first_estimate(const IdentificationProblem& problem,
                                 const Eigen::VectorXd& guess, std::size_t passes) {
  const Reparametrisation variables(problem.vehicle, problem.unknown);
  const Eigen::VectorXd theta = variables.theta(guess);
  const Eigen::VectorXd weights = peak_weights(problem, passes);
  return {fit_total_mass(problem, variables, theta, weights, passes).parameters,
          {},
          0,
          false,
          0.0};
}

DescentLimits scouting(const DescentLimits& limits) {
  DescentLimits brief = limits;
  brief.most_iterations = std::min(limits.most_iterations, kMostScoutIterations);
  brief.least_progress = kLeastProgress;
  return brief;
}

ParameterEstimate one_pass_after_the_other(const IdentificationProblem& problem,
                                           const DescentLimits& limits) {
  ParameterEstimate estimate = first_estimate(problem, start_of(problem), 1);
  for (std::size_t passes = 1; passes <= problem.passes.size(); ++passes) {
    const int before = estimate.iterations;
    estimate = reparametrised_fit(problem, estimate, limits, passes);
    estimate.iterations += before;
  }
  return estimate;
}

}  // namespace

ParameterEstimate reparametrised_fit(const IdentificationProblem& problem,
                                     const ParameterEstimate& start,
                                     const DescentLimits& limits, std::size_t passes) {
  const Reparametrisation variables(problem.vehicle, problem.unknown);
  const Eigen::Index n = problem.parameter_count(), road = problem.road_shapes;
  ParameterEstimate estimate = start;
  estimate.iterations = 0;
  Eigen::VectorXd x(n + road);
  x << variables.theta(start.parameters),
      (start.road.size() == road ? start.road : Eigen::VectorXd::Zero(road));
  for (ResidualWeights weighing(problem, passes); weighing.next(estimate);) {
    const MapResidual residual(problem, variables, weighing.weights(), passes);
    const LeastSquaresResult descent = levenberg_marquardt(residual, x, n, limits);
    x = descent.x;
    estimate.parameters = variables.parameters(x.head(n));
    estimate.road = x.tail(road);
    estimate.iterations += descent.iterations;
    estimate.converged = descent.converged;
    estimate.cost = descent.cost;
    estimate.squares =
        descent.at.residual.head(measured(problem, passes).size()).squaredNorm();
  }
  return estimate;
}

ParameterEstimate reparametrised_fit(const IdentificationProblem& problem,
                                     const DescentLimits& limits) {
  const std::size_t all = problem.passes.size();
  DescentLimits first = limits;
  if (problem.road_shapes > 0) first.least_progress = kLeastProgress;
  ParameterEstimate best = reparametrised_fit(
      problem, first_estimate(problem, start_of(problem), all), first, all);
  if (problem.road_shapes == 0) return best;
  const auto keep_better = [&](ParameterEstimate other) {
    other.iterations += best.iterations;
    if (other.cost < best.cost)
      best = other;
    else
      best.iterations = other.iterations;
  };
  const auto found = [&] {
    return explains(problem, best) || best.iterations >= kMostIterations;
  };
  // One look at each of the other valleys; no study is worth minutes that its readings do
  // not explain.
  if (!found() && all > 1) keep_better(one_pass_after_the_other(problem, scouting(limits)));
  for (const double stiffer : {1.6, 0.6, 2.5, 0.4}) {
    if (found()) break;
    Eigen::VectorXd start = start_of(problem);
    for (Eigen::Index j = 0; j < start.size(); ++j)
      if (problem.vehicle
              .elements[static_cast<std::size_t>(
                  problem.unknown[static_cast<std::size_t>(j)])]
              .quantity == VehicleQuantity::kStiffness)
        start(j) *= stiffer;
    keep_better(reparametrised_fit(problem, first_estimate(problem, start, all),
                                   scouting(limits), all));
  }
  if (!found()) {  // the same vehicle over the road turned upside down
    ParameterEstimate mirrored = best;
    mirrored.road = -best.road;
    keep_better(reparametrised_fit(problem, mirrored, scouting(limits), all));
  }
  return best;
}

}  // namespace trestle::identification
