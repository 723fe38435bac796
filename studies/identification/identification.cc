#include "studies/identification/identification.h"

#include <algorithm>
#include <cmath>

#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/uncertainty.h"

namespace trestle::identification {
namespace {

constexpr int kRoadPoints = 401;

ParameterEstimate estimated(const IdentificationStudy& study) {
  const IdentificationProblem& problem = study.problem;
  if (const auto* tikhonov = std::get_if<TikhonovSettings>(&study.method))
    return tikhonov_gauss_newton(problem, *tikhonov);
  if (const auto* global = std::get_if<GlobalSettings>(&study.method))
    return global_search(problem, *global, study.limits);
  return reparametrised_fit(problem, study.limits);
}

const VehicleElement& element(const IdentificationProblem& problem, Eigen::Index j) {
  return problem.vehicle
      .elements[static_cast<std::size_t>(problem.unknown[static_cast<std::size_t>(j)])];
}

/// What a nodal fit adds to an estimate.
struct NodalFinding {
  ParameterEstimate directly;  ///< the fit on the strains that starts from it
  NodalError error;
  double limit = 0.0;  ///< of deviation and bias over the estimate
};

/// Replaces deviation and judgement by those of the nodal fit.
/// @param share  of the parameters' logarithms in that of `found`
/// @param other  what the fit on the strains found
void judge_nodal(FoundParameter& found, const NodalFinding& nodal,
                 const Eigen::VectorXd& share, double misfit, double other) {
  const double deviation = misfit * std::sqrt(share.dot(nodal.error.covariance * share));
  const double bias = share.dot(nodal.error.bias);
  found.deviation = deviation * found.estimate;
  found.bias = bias * found.estimate;
  found.directly = other;
  found.identifiable =
      found.identifiable && deviation < nodal.limit && std::abs(bias) < nodal.limit;
}

/// Returns the larger of the relative deviations of Σ shareⱼ ln(parameterⱼ), also at the
/// guess if it was examined.
/// @param share  at a point
template <typename Share>
double relative_deviation(const Uncertainty& uncertainty, Share share) {
  const auto at = [&](const LocalCovariance& local) {
    const Eigen::VectorXd g = share(local.parameters);
    return std::sqrt(g.dot(local.covariance * g));
  };
  const double here = at(uncertainty.at_estimate);
  return uncertainty.at_guess ? std::max(here, at(*uncertainty.at_guess)) : here;
}

/// @param relative  deviation that the stated noise allows, over the estimate
void judge(FoundParameter& found, double relative, const Uncertainty& uncertainty,
           double limit) {
  found.bound = relative * found.estimate;
  found.deviation = found.bound * uncertainty.misfit;
  found.identifiable = relative < limit && uncertainty.misfit * relative < limit;
}

FoundParameter found_parameter(const IdentificationStudy& study,
                               const ParameterEstimate& estimate,
                               const std::optional<NodalFinding>& nodal,
                               const Uncertainty& uncertainty, Eigen::Index j) {
  const VehicleElement& which = element(study.problem, j);
  FoundParameter found;
  found.name = which.name;
  found.symbol = which.symbol;
  found.quantity = which.quantity;
  found.guess = start_of(study.problem)(j);
  found.estimate = estimate.parameters(j);
  if (static_cast<std::size_t>(j) < study.truth.size())
    found.truth = study.truth[static_cast<std::size_t>(j)];
  const auto itself = [j](const Eigen::VectorXd& parameters) -> Eigen::VectorXd {
    return Eigen::VectorXd::Unit(parameters.size(), j);
  };
  judge(found, relative_deviation(uncertainty, itself), uncertainty,
        study.identifiable_below);
  found.identifiable = found.identifiable && uncertainty.explained;
  if (nodal)
    judge_nodal(found, *nodal, itself(estimate.parameters), uncertainty.misfit,
                nodal->directly.parameters(j));
  return found;
}

std::optional<FoundParameter> found_mass(const IdentificationStudy& study,
                                         const ParameterEstimate& estimate,
                                         const std::optional<NodalFinding>& nodal,
                                         const Uncertainty& uncertainty) {
  const IdentificationProblem& problem = study.problem;
  Eigen::VectorXd values = problem.values, truth = problem.values;
  bool all_known = !study.truth.empty();
  for (Eigen::Index j = 0; j < problem.parameter_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    values(problem.unknown[at]) = estimate.parameters(j);
    all_known = all_known && study.truth[at];
    if (all_known) truth(problem.unknown[at]) = *study.truth[at];
  }
  FoundParameter found;
  found.name = "total_mass";
  found.symbol = "M";
  double true_mass = 0.0;
  for (std::size_t i = 0; i < problem.vehicle.elements.size(); ++i) {
    if (problem.vehicle.elements[i].quantity != VehicleQuantity::kMass) continue;
    const auto at = static_cast<Eigen::Index>(i);
    found.estimate += values(at);
    found.guess += problem.values(at);
    true_mass += truth(at);
  }
  Eigen::ArrayXd is_mass = Eigen::ArrayXd::Zero(problem.parameter_count());
  for (Eigen::Index j = 0; j < is_mass.size(); ++j)
    if (element(problem, j).quantity == VehicleQuantity::kMass) is_mass(j) = 1.0;
  if ((is_mass == 0.0).all()) return std::nullopt;
  if (all_known) found.truth = true_mass;
  const double known = found.estimate - (is_mass * estimate.parameters.array()).sum();
  const auto shares = [&](const Eigen::VectorXd& parameters) -> Eigen::VectorXd {
    const Eigen::ArrayXd masses = is_mass * parameters.array();
    return masses / (masses.sum() + known);
  };
  judge(found, relative_deviation(uncertainty, shares), uncertainty,
        study.identifiable_below);
  if (nodal)
    judge_nodal(found, *nodal, shares(estimate.parameters), uncertainty.misfit,
                known + (is_mass * nodal->directly.parameters.array()).sum());
  return found;
}

FoundRoad found_road(const IdentificationStudy& study, const ParameterEstimate& estimate,
                     const Uncertainty& uncertainty) {
  const UnknownRoadSettings& unknown = study.unknown_road;
  FoundRoad road;
  road.x = Eigen::VectorXd::LinSpaced(kRoadPoints, unknown.from, unknown.to);
  Eigen::MatrixXd shapes(kRoadPoints, study.problem.road_shapes);
  for (Eigen::Index j = 0; j < shapes.cols(); ++j)
    shapes.col(j) = road.x.unaryExpr(
        [&](double x) { return unknown.shapes[static_cast<std::size_t>(j)].at(x).height; });
  road.height = shapes * estimate.road;
  road.deviation = (shapes * uncertainty.road_factor).rowwise().norm() * uncertainty.misfit;
  if (!study.true_road) return road;
  road.truth = road.x.unaryExpr([&](double x) { return study.true_road->at(x).height; });
  const auto on_bridge =
      (road.x.array() >= 0.0 && road.x.array() <= study.girder->length()).cast<double>();
  road.error = ((road.height - *road.truth).array() * on_bridge).matrix().norm() /
               (road.truth->array() * on_bridge).matrix().norm();
  return road;
}

}  // namespace

IdentificationResult identify(const IdentificationStudy& study) {
  const IdentificationProblem& problem = study.problem;
  std::optional<NodalFit> nodal_fit;
  if (const auto* settings = std::get_if<NodalSettings>(&study.method))
    nodal_fit.emplace(problem, *study.girder, *settings);
  const ParameterEstimate estimate = nodal_fit ? nodal_fit->estimate() : estimated(study);
  std::optional<NodalFinding> nodal;
  if (nodal_fit)
    nodal = NodalFinding{
        reparametrised_fit(problem, estimate, study.limits, problem.passes.size()),
        {},
        study.identifiable_below};
  const Uncertainty uncertainty = trestle::identification::uncertainty(
      problem, nodal ? nodal->directly : estimate, study.identifiable_below);
  Eigen::MatrixXd covariance = uncertainty.at_estimate.covariance;
  IdentificationResult result;
  if (nodal) {
    nodal->error = nodal_fit->error(estimate.parameters, uncertainty.noise_level);
    covariance = nodal->error.covariance;
    result.nodal = nodal_fit->summary();
  }
  for (Eigen::Index j = 0; j < problem.parameter_count(); ++j)
    result.parameters.push_back(found_parameter(study, estimate, nodal, uncertainty, j));
  result.total_mass = found_mass(study, estimate, nodal, uncertainty);
  result.covariance =
      estimate.parameters.asDiagonal() * covariance * estimate.parameters.asDiagonal();
  result.iterations = estimate.iterations;
  result.converged = estimate.converged;
  result.condition_number = uncertainty.condition_number;
  result.noise_level = uncertainty.noise_level;
  result.noise_stated = problem.noise.level.value_or(0.0) > 0.0;
  result.misfit = uncertainty.misfit;
  result.most_misfit = uncertainty.most_misfit;
  result.freedom = uncertainty.freedom;
  result.explained = uncertainty.explained;
  const Eigen::VectorXd fitted =
      respond(problem, estimate.parameters, estimate.road, Sensitivities::kWithout).values;
  Eigen::Index row = 0;
  for (const RecordedPass& pass : problem.passes) {
    result.fitted.emplace_back(fitted.segment(row, pass.measured.size()));
    row += pass.measured.size();
  }
  if (problem.road_shapes > 0) result.road = found_road(study, estimate, uncertainty);
  return result;
}

}  // namespace trestle::identification
