#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "studies/identification/vehicle_model.h"
#include "studies/identification/vehicle_passage.h"

namespace trestle::identification {

enum class NoiseKind {
  kOfReading,  ///< its standard deviation is a part of each reading
  kOfPeak,     ///< ... of the sensor's peak
};

struct NoiseModel {
  NoiseKind kind = NoiseKind::kOfPeak;
  std::optional<double> level;  ///< standard deviation [1]; absent: from the residual
};

/// Readings below this part of a sensor's peak weigh no more than at it.
inline constexpr double kNoiseFloor = 0.02;

/// One record, and the passage that explains it.
struct RecordedPass {
  std::unique_ptr<VehiclePassage> passage;
  Eigen::VectorXd measured;       ///< as Response::values
  RoadInput road;                 ///< the known part
  std::vector<RoadInput> shapes;  ///< of the unknown part, each for one prior deviation
};

/// The unknowns: some of the vehicle's values and optionally the road.
struct IdentificationProblem {
  VehicleModel vehicle;
  Eigen::VectorXd values;             ///< one per element: the known, and where to start
  std::vector<Eigen::Index> unknown;  ///< elements
  Eigen::Index road_shapes = 0;       ///< unknown coefficients, of unit-normal prior
  double prior_deviation = 0.0;       ///< of the logarithms; 0: no prior
  NoiseModel noise;
  std::vector<RecordedPass> passes;

  Eigen::Index parameter_count() const { return static_cast<Eigen::Index>(unknown.size()); }
};

/// The response of all passes, one below the other.
struct StackedResponse {
  Eigen::VectorXd values;
  Eigen::MatrixXd by_logarithm;  ///< d/d ln(value), one column per unknown element
  Eigen::MatrixXd by_road;       ///< d/d coefficient
};

enum class Sensitivities { kWithout, kWith };

/// @param parameters  values of the unknown elements
/// @param road        coefficients; empty if the road is known
/// @param passes      number of passes, from the first
StackedResponse respond(const IdentificationProblem& problem,
                        const Eigen::VectorXd& parameters, const Eigen::VectorXd& road,
                        Sensitivities sensitivities, std::size_t passes);
StackedResponse respond(const IdentificationProblem& problem,
                        const Eigen::VectorXd& parameters, const Eigen::VectorXd& road,
                        Sensitivities sensitivities);

Eigen::VectorXd measured(const IdentificationProblem& problem, std::size_t passes);
Eigen::VectorXd measured(const IdentificationProblem& problem);

/// One over the noise's deviation, up to its level, by what the model predicts: weights
/// from noisy readings would prefer the small ones.
Eigen::VectorXd weights(const IdentificationProblem& problem,
                        const Eigen::VectorXd& predicted, std::size_t passes);
/// Weights by each sensor's peak alone, before a prediction exists.
Eigen::VectorXd peak_weights(const IdentificationProblem& problem, std::size_t passes);

/// The unknown elements' values in `problem.values`.
Eigen::VectorXd start_of(const IdentificationProblem& problem);

}  // namespace trestle::identification
