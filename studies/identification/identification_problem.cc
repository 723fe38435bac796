#include "studies/identification/identification_problem.h"

#include <algorithm>
#include <cmath>

namespace trestle::identification {
namespace {

RoadInput whole_road(const RecordedPass& pass, const Eigen::VectorXd& coefficients) {
  RoadInput road = pass.road;
  for (Eigen::Index j = 0; j < coefficients.size(); ++j) {
    const RoadInput& shape = pass.shapes[static_cast<std::size_t>(j)];
    road.height += coefficients(j) * shape.height;
    road.slope += coefficients(j) * shape.slope;
  }
  return road;
}

/// Each reading's peak over its sensor and pass.
Eigen::VectorXd peaks(const IdentificationProblem& problem, const Eigen::VectorXd& values,
                      std::size_t passes) {
  Eigen::VectorXd peaks(values.size());
  Eigen::Index row = 0;
  for (std::size_t p = 0; p < passes; ++p) {
    const VehiclePassage& passage = *problem.passes[p].passage;
    const auto sensors = static_cast<Eigen::Index>(passage.sensors().size());
    const Eigen::Index count = passage.value_count();
    for (Eigen::Index s = 0; s < sensors; ++s) {
      const auto channel = Eigen::seqN(row + s, count / sensors, sensors);
      peaks(channel).setConstant(values(channel).cwiseAbs().maxCoeff());
    }
    row += count;
  }
  return peaks;
}

}  // namespace

StackedResponse respond(const IdentificationProblem& problem,
                        const Eigen::VectorXd& parameters, const Eigen::VectorXd& road,
                        Sensitivities sensitivities, std::size_t passes) {
  Eigen::VectorXd values = problem.values;
  for (std::size_t j = 0; j < problem.unknown.size(); ++j)
    values(problem.unknown[j]) = parameters(static_cast<Eigen::Index>(j));
  Eigen::Index rows = 0;
  for (std::size_t p = 0; p < passes; ++p) rows += problem.passes[p].passage->value_count();
  const bool with = sensitivities == Sensitivities::kWith;
  const Eigen::Index count = problem.parameter_count();
  StackedResponse stacked;
  stacked.values.resize(rows);
  if (with) {
    stacked.by_logarithm.resize(rows, count);
    stacked.by_road.resize(rows, problem.road_shapes);
  }
  static const std::vector<Eigen::Index> nothing;
  static const std::vector<RoadInput> no_shapes;
  rows = 0;
  for (std::size_t p = 0; p < passes; ++p) {
    const RecordedPass& pass = problem.passes[p];
    const Response response = pass.passage->respond(
        problem.vehicle, values, road.size() > 0 ? whole_road(pass, road) : pass.road,
        with ? problem.unknown : nothing, with ? pass.shapes : no_shapes);
    const Eigen::Index size = response.values.size();
    stacked.values.segment(rows, size) = response.values;
    if (with) {
      stacked.by_logarithm.middleRows(rows, size) =
          response.sensitivities.leftCols(count) * parameters.asDiagonal();
      stacked.by_road.middleRows(rows, size) =
          response.sensitivities.rightCols(problem.road_shapes);
    }
    rows += size;
  }
  return stacked;
}

StackedResponse respond(const IdentificationProblem& problem,
                        const Eigen::VectorXd& parameters, const Eigen::VectorXd& road,
                        Sensitivities sensitivities) {
  return respond(problem, parameters, road, sensitivities, problem.passes.size());
}

Eigen::VectorXd measured(const IdentificationProblem& problem, std::size_t passes) {
  Eigen::Index rows = 0;
  for (std::size_t p = 0; p < passes; ++p) rows += problem.passes[p].measured.size();
  Eigen::VectorXd all(rows);
  rows = 0;
  for (std::size_t p = 0; p < passes; ++p) {
    all.segment(rows, problem.passes[p].measured.size()) = problem.passes[p].measured;
    rows += problem.passes[p].measured.size();
  }
  return all;
}

Eigen::VectorXd measured(const IdentificationProblem& problem) {
  return measured(problem, problem.passes.size());
}

Eigen::VectorXd weights(const IdentificationProblem& problem,
                        const Eigen::VectorXd& predicted, std::size_t passes) {
  if (problem.noise.kind == NoiseKind::kOfPeak) return peak_weights(problem, passes);
  const Eigen::VectorXd floor = kNoiseFloor * peaks(problem, predicted, passes);
  return predicted.cwiseAbs().cwiseMax(floor).cwiseInverse();
}

Eigen::VectorXd peak_weights(const IdentificationProblem& problem, std::size_t passes) {
  return peaks(problem, measured(problem, passes), passes).cwiseInverse();
}

Eigen::VectorXd start_of(const IdentificationProblem& problem) {
  return problem.values(problem.unknown);
}

}  // namespace trestle::identification
