#include "studies/identification/nodal_fit.h"

#include <algorithm>
#include <cstdio>

#include "core/math/dense_solve.h"

namespace trestle::identification {
namespace {

std::size_t time_derivative(Measures quantity) {
  if (quantity == Measures::kVelocity) return 1;
  return quantity == Measures::kAcceleration ? 2 : 0;
}

std::vector<Sensor> point_sensors(const std::vector<double>& points, Measures quantity) {
  std::vector<Sensor> sensors;
  for (const double x : points) sensors.push_back({"", x, quantity, 1.0});
  return sensors;
}

std::string metres(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g m", value);
  return text;
}

}  // namespace

NodalFit::NodalFit(const IdentificationProblem& problem, const Girder& girder,
                   const NodalSettings& settings)
    : problem_(problem), settings_(settings) {
  if (settings_.points.empty()) settings_.points = moving_nodes(girder);
  const std::vector<Sensor>& gauges = problem.passes.front().passage->sensors();
  const auto gauge_count = static_cast<Eigen::Index>(gauges.size());
  Eigen::Index columns = 0;
  std::vector<Eigen::MatrixXd> coefficients;
  for (const RecordedPass& pass : problem.passes) {
    const PassageSettings& run = pass.passage->settings();
    functions_.emplace_back(settings.order, run.samples, run.sampling_period);
    coefficients.push_back(functions_.back().coefficients(
        Eigen::Map<const Eigen::MatrixXd>(pass.measured.data(), gauge_count, run.samples)));
    columns += settings.order;
  }
  Eigen::MatrixXd all(gauge_count, columns);
  columns = 0;
  for (const Eigen::MatrixXd& C : coefficients) {
    all.middleCols(columns, C.cols()) = C;
    columns += C.cols();
  }
  const NodalReconstruction nodes(girder, gauges, settings.nodes, all);
  to_points_ = nodes.deflections(settings_.points);
  for (std::size_t p = 0; p < coefficients.size(); ++p)
    motion_.emplace_back(to_points_ * coefficients[p] *
                         functions_[p].values(time_derivative(settings.quantity)));

  points_.vehicle = problem.vehicle;
  points_.values = problem.values;
  points_.unknown = problem.unknown;
  for (const RecordedPass& pass : problem.passes) {
    RecordedPass at_points;
    at_points.passage = std::make_unique<VehiclePassage>(
        girder, problem.vehicle.axle_offsets,
        point_sensors(settings_.points, settings.quantity), pass.passage->settings());
    at_points.road = pass.road;
    points_.passes.push_back(std::move(at_points));
  }
  summary_ = {settings.order,      static_cast<Eigen::Index>(settings_.points.size()),
              gauge_count,         gauged_motions(girder, gauges),
              girder.mode_count(), nodes.lambda()};
}

NodalFit::Model NodalFit::model(const Eigen::VectorXd& parameters) const {
  const bool kept = settings_.bias == DetourBias::kKept;
  const StackedResponse response =
      respond(kept ? points_ : problem_, parameters, {}, Sensitivities::kWith);
  if (kept) return {response.values, response.by_logarithm};
  Model model{carried(response.values), {}};
  model.by_logarithm.resize(model.motion.size(), response.by_logarithm.cols());
  for (Eigen::Index j = 0; j < response.by_logarithm.cols(); ++j)
    model.by_logarithm.col(j) = carried(response.by_logarithm.col(j));
  return model;
}

Eigen::VectorXd NodalFit::carried(const Eigen::VectorXd& strains) const {
  Eigen::Index count = 0;
  for (const Eigen::MatrixXd& motion : motion_) count += motion.size();
  Eigen::VectorXd carried(count);
  Eigen::Index row = 0, reading = 0;
  for (std::size_t p = 0; p < functions_.size(); ++p) {
    const Eigen::Index samples = motion_[p].cols();
    const Eigen::Map<const Eigen::MatrixXd> strain(strains.data() + reading,
                                                   to_points_.cols(), samples);
    const Eigen::MatrixXd motion =
        to_points_ * functions_[p].coefficients(strain) *
        functions_[p].values(time_derivative(settings_.quantity));
    carried.segment(row, motion.size()) = motion.reshaped();
    row += motion.size();
    reading += strain.size();
  }
  return carried;
}

Eigen::VectorXd NodalFit::carried_back(const Eigen::VectorXd& motion) const {
  Eigen::Index count = 0;
  for (const Eigen::MatrixXd& pass : motion_) count += to_points_.cols() * pass.cols();
  Eigen::VectorXd back(count);
  Eigen::Index row = 0, reading = 0;
  for (std::size_t p = 0; p < functions_.size(); ++p) {
    const Eigen::Index samples = motion_[p].cols();
    const Eigen::Map<const Eigen::MatrixXd> of_pass(motion.data() + row, to_points_.rows(),
                                                    samples);
    const Eigen::MatrixXd& derivative =
        functions_[p].values(time_derivative(settings_.quantity));
    const Eigen::MatrixXd coefficients =
        to_points_.transpose() * (of_pass * derivative.transpose());
    const Eigen::MatrixXd strain = coefficients * functions_[p].values(0);
    back.segment(reading, strain.size()) = strain.reshaped();
    row += of_pass.size();
    reading += strain.size();
  }
  return back;
}

ParameterEstimate NodalFit::estimate() const {
  const Eigen::VectorXd readings = carried(measured(problem_));
  const Eigen::VectorXd start = start_of(problem_);
  ParameterEstimate estimate{start, {}, 0, false, 0.0};
  // Far away steps are regularised. What the detour itself adds is taken for noise there,
  // and would shorten the last ones: these are whole.
  Regularisation steps = settings_.nodes.regularisation;
  while (estimate.iterations < settings_.most_iterations && !estimate.converged &&
         !has_run_away(estimate.parameters, start)) {
    ++estimate.iterations;
    const Model here = model(estimate.parameters);
    const Eigen::VectorXd difference = readings - here.motion;
    estimate.cost = difference.squaredNorm();
    const bool settled = relative_step(estimate.parameters, here.by_logarithm, difference,
                                       steps) < settings_.tolerance;
    estimate.converged = settled && steps == Regularisation::kNone;
    if (settled) steps = Regularisation::kNone;
  }
  return estimate;
}

NodalError NodalFit::error(const Eigen::VectorXd& parameters, double noise_level) const {
  const Model here = model(parameters);
  const Eigen::MatrixXd R = math::qr_r_factor(here.by_logarithm);
  // (SᵀS)⁻¹ Sᵀ: parameters × motion.
  const Eigen::MatrixXd inverse =
      math::solved(R, math::solve_lower(R.transpose(), here.by_logarithm.transpose()));
  const Eigen::VectorXd strains =
      respond(problem_, parameters, {}, Sensitivities::kWithout).values;
  const Eigen::VectorXd deviation =
      noise_level * weights(problem_, strains, problem_.passes.size()).cwiseInverse();
  Eigen::MatrixXd by_strain(inverse.rows(), strains.size());
  for (Eigen::Index j = 0; j < inverse.rows(); ++j)
    by_strain.row(j) =
        carried_back(inverse.row(j).transpose()).cwiseProduct(deviation).transpose();
  NodalError error{by_strain * by_strain.transpose(),
                   Eigen::VectorXd::Zero(parameters.size())};
  if (settings_.bias == DetourBias::kKept)
    error.bias = inverse * (carried(strains) - here.motion);
  return error;
}

std::optional<std::string> validate_nodal(const IdentificationProblem& problem,
                                          const Girder& girder,
                                          const NodalSettings& settings) {
  const std::vector<Sensor>& gauges = problem.passes.front().passage->sensors();
  for (const Sensor& sensor : gauges)
    if (sensor.measures != Measures::kStrain)
      return "is nodal, which needs strain from every sensor; `" + sensor.name +
             "` does not measure strain: use lm-reparam, or leave it out";
  for (std::size_t p = 0; p < problem.passes.size(); ++p) {
    const int samples = problem.passes[p].passage->settings().samples;
    const int most = OrthogonalFunctions::largest_order(samples);
    if (settings.order > most)
      return "has " + std::to_string(settings.order) + " functions of time (order); the " +
             std::to_string(samples) + " samples of passes[" + std::to_string(p) +
             "] keep at most " + std::to_string(most) + " apart";
  }
  const double stiff = 1e-9 * girder.shapes(moving_nodes(girder).front(), 0).norm();
  for (const double x : settings.points)
    if (girder.shapes(x, 0).norm() <= stiff)
      return "has a point at " + metres(x) +
             ", which does not move or is not on the bridge; choose points between 0 m "
             "and " +
             metres(girder.length()) + " beside the supports";
  const Eigen::Index determined = gauged_motions(girder, gauges);
  if (settings.nodes.regularisation == Regularisation::kNone &&
      determined < girder.mode_count())
    return "is nodal without regularisation, but the " + std::to_string(gauges.size()) +
           " gauges determine " + std::to_string(determined) + " of the " +
           std::to_string(girder.mode_count()) +
           " motions of the nodes; add gauges, reduce bridge.elements, or set "
           "regularisation";
  return std::nullopt;
}

}  // namespace trestle::identification
