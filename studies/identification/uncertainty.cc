#include "studies/identification/uncertainty.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math/dense_solve.h"
#include "studies/identification/orthogonal.h"
#include "studies/identification/reparametrisation.h"
#include "studies/identification/residual_test.h"
#include "studies/identification/total_mass_projection.h"

namespace trestle::identification {
namespace {

/// The weighted sensitivities, the road's in front, and the priors below: then the last
/// columns' own triangle is the information on the parameters when the road is free.
Eigen::MatrixXd information(const IdentificationProblem& problem,
                            const ParameterEstimate& estimate,
                            const StackedResponse& response,
                            const Eigen::VectorXd& weights) {
  const Eigen::Index n = problem.parameter_count(), road = problem.road_shapes;
  const Eigen::Index rows = response.values.size();
  const Eigen::Index prior = problem.prior_deviation > 0.0 ? n : 0;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows + prior + road, n + road);
  J.topLeftCorner(rows, road) = weights.asDiagonal() * response.by_road;
  J.topRightCorner(rows, n) = weights.asDiagonal() * response.by_logarithm;
  if (prior > 0) {
    const Reparametrisation variables(problem.vehicle, problem.unknown);
    J.block(rows, road, n, n) =
        math::inverse(variables.slope(estimate.parameters)) / problem.prior_deviation;
  }
  J.block(rows + prior, 0, road, road).diagonal().setOnes();
  return J;
}

Eigen::MatrixXd inverse_of_gram(const SingularValues& parts) {
  const double negligible = 1e-15 * parts.s(0);
  Eigen::ArrayXd reciprocal = parts.s.array().square().inverse();
  for (Eigen::Index i = 0; i < reciprocal.size(); ++i)
    if (!(parts.s(i) > negligible)) reciprocal(i) = std::numeric_limits<double>::max();
  return parts.V * reciprocal.matrix().asDiagonal() * parts.V.transpose();
}

/// @param level  of the noise
QrReduction information_triangle(const IdentificationProblem& problem,
                                 const ParameterEstimate& at, double level) {
  const StackedResponse response =
      respond(problem, at.parameters, at.road, Sensitivities::kWith);
  const Eigen::VectorXd w = weights(problem, response.values, problem.passes.size()) /
                            std::max(level, std::numeric_limits<double>::min());
  const Eigen::MatrixXd J = information(problem, at, response, w);
  return triangle(J, Eigen::VectorXd::Zero(J.rows()));
}

SingularValues parameter_part(const IdentificationProblem& problem,
                              const QrReduction& information) {
  const Eigen::Index n = problem.parameter_count();
  return singular(information.R.bottomRightCorner(n, n));
}

ParameterEstimate projected_guess(const IdentificationProblem& problem) {
  const Reparametrisation variables(problem.vehicle, problem.unknown);
  const std::size_t all = problem.passes.size();
  ParameterEstimate guess;
  guess.parameters = fit_total_mass(problem, variables, variables.theta(start_of(problem)),
                                    peak_weights(problem, all), all)
                         .parameters;
  guess.road = Eigen::VectorXd::Zero(problem.road_shapes);
  return guess;
}

struct Residual {
  double squares = 0.0;      ///< weighted; of noise of level 1, chi-square distributed
  double correlation = 0.0;  ///< of a reading's with the sensor's next one's
};

Residual residual_left(const IdentificationProblem& problem,
                       const ParameterEstimate& estimate) {
  const Eigen::VectorXd predicted =
      respond(problem, estimate.parameters, estimate.road, Sensitivities::kWithout).values;
  const Eigen::VectorXd residual = weights(problem, predicted, problem.passes.size())
                                       .cwiseProduct(measured(problem) - predicted);
  const double squares = residual.squaredNorm();
  double products = 0.0;
  Eigen::Index row = 0;
  for (const RecordedPass& pass : problem.passes) {
    const Eigen::Index count = pass.passage->value_count();
    const auto sensors = static_cast<Eigen::Index>(pass.passage->sensors().size());
    products += residual.segment(row, count - sensors)
                    .dot(residual.segment(row + sensors, count - sensors));
    row += count;
  }
  return {squares, squares > 0.0 ? products / squares : 0.0};
}

/// The degrees of freedom of a fit: the trace of the matrix that maps readings to fitted
/// values. A coefficient with a prior uses less than one.
/// @param information  its triangle, the road's columns in front
double freedom_taken(const IdentificationProblem& problem,
                     const ParameterEstimate& estimate, const QrReduction& information) {
  const Eigen::Index n = problem.parameter_count(), road = problem.road_shapes;
  const Eigen::Index prior = problem.prior_deviation > 0.0 ? n : 0;
  const auto all = static_cast<double>(n + road);
  if (prior + road == 0) return all;
  Eigen::MatrixXd held = Eigen::MatrixXd::Zero(prior + road, n + road);
  if (prior > 0) {
    const Reparametrisation variables(problem.vehicle, problem.unknown);
    held.block(0, road, n, n) =
        math::inverse(variables.slope(estimate.parameters)) / problem.prior_deviation;
  }
  held.block(prior, 0, road, road).diagonal().setOnes();
  // held R⁻¹ by the transposed triangle.
  const Eigen::MatrixXd by_prior = math::solved(Eigen::MatrixXd(information.R.transpose()),
                                                Eigen::MatrixXd(held.transpose()));
  return std::clamp(all - by_prior.squaredNorm(), 0.0, all);
}

/// No noise to speak of: what is left is rounding, which may well go on from reading to
/// reading.
constexpr double kNoNoise = 1e-6;
constexpr double kMostCorrelation = 0.5;

bool explained(const Uncertainty& found, bool stated, double correlation) {
  if (found.noise_level < kNoNoise) return true;
  return stated ? found.misfit <= found.most_misfit : correlation < kMostCorrelation;
}

}  // namespace

Uncertainty uncertainty(const IdentificationProblem& problem,
                        const ParameterEstimate& estimate, double unidentifiable_above) {
  const Eigen::Index road = problem.road_shapes;
  const Residual left = residual_left(problem, estimate);
  const double stated = problem.noise.level.value_or(0.0);
  const auto readings = static_cast<double>(measured(problem).size());
  Uncertainty found;
  // Noise of the residual has no road beside it: its parameters count whole.
  found.freedom = std::max(1.0, readings - static_cast<double>(problem.parameter_count()));
  found.noise_level = stated > 0.0 ? stated : std::sqrt(left.squares / found.freedom);
  const QrReduction reduced = information_triangle(problem, estimate, found.noise_level);
  if (stated > 0.0) {
    if (road > 0 || problem.prior_deviation > 0.0)
      found.freedom = std::max(1.0, readings - freedom_taken(problem, estimate, reduced));
    found.most_misfit = std::sqrt(largest_square_sum(found.freedom) / found.freedom);
  }
  found.misfit = found.noise_level > 0.0
                     ? std::sqrt(left.squares / found.freedom) / found.noise_level
                     : 0.0;
  found.explained = explained(found, stated > 0.0, left.correlation);
  const SingularValues parts = parameter_part(problem, reduced);
  found.at_estimate = {estimate.parameters, inverse_of_gram(parts)};
  found.condition_number = parts.s(0) / parts.s(parts.s.size() - 1);
  const auto variances = found.at_estimate.covariance.diagonal().array();
  if ((variances > unidentifiable_above * unidentifiable_above).any()) {
    const ParameterEstimate guess = projected_guess(problem);
    found.at_guess = {
        guess.parameters,
        inverse_of_gram(parameter_part(
            problem, information_triangle(problem, guess, found.noise_level)))};
  }
  if (road > 0)
    found.road_factor = math::solved(reduced.R, Eigen::MatrixXd::Identity(reduced.R.cols(),
                                                                          reduced.R.cols()))
                            .topRows(road);
  return found;
}

}  // namespace trestle::identification
