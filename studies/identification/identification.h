#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "studies/identification/global_search.h"
#include "studies/identification/identification_problem.h"
#include "studies/identification/levenberg_marquardt.h"
#include "studies/identification/nodal_fit.h"
#include "studies/identification/road.h"
#include "studies/identification/tikhonov.h"

namespace trestle::identification {

struct ReparametrisedSettings {};
using MethodSettings =
    std::variant<ReparametrisedSettings, TikhonovSettings, GlobalSettings, NodalSettings>;

/// The unknown road's shapes, and where it is shown.
struct UnknownRoadSettings {
  std::vector<bridge::HarmonicProfile> shapes;
  double from = 0.0, to = 0.0;  ///< [m]
};

/// All that an identification needs.
struct IdentificationStudy {
  std::string name;
  std::unique_ptr<Girder> girder;
  IdentificationProblem problem;
  MethodSettings method;
  std::string method_name;  ///< as people write it
  DescentLimits limits;
  double identifiable_below = 0.2;  ///< bound over estimate
  std::vector<std::optional<double>>
      truth;                         ///< of each unknown, where readings are synthetic
  UnknownRoadSettings unknown_road;  ///< no shapes: the road is known
  std::unique_ptr<const bridge::TrackProfile>
      true_road;  ///< of synthetic readings over an unknown road
};

/// One parameter as the data determine it. All in SI.
struct FoundParameter {
  std::string name;
  std::string symbol;
  VehicleQuantity quantity = VehicleQuantity::kMass;
  double guess = 0.0;
  double estimate = 0.0;
  double deviation = 0.0;  ///< standard deviation, by the residual that is left
  double bound = 0.0;  ///< Cramér and Rao's: of any unbiased method, by the stated noise
  bool identifiable = false;
  std::optional<double> truth{};
  std::optional<double> bias{};  ///< of a nodal fit: estimate less truth, to first order
  std::optional<double> directly{};  ///< beside a nodal fit: the estimate by the strains
};

/// The road that was looked for, at places along it.
struct FoundRoad {
  Eigen::VectorXd x;          ///< [m]
  Eigen::VectorXd height;     ///< [m], positive up
  Eigen::VectorXd deviation;  ///< [m]
  std::optional<Eigen::VectorXd> truth;
  std::optional<double> error;  ///< ‖height − truth‖ / ‖truth‖ on the bridge
};

struct IdentificationResult {
  std::vector<FoundParameter> parameters;
  std::optional<FoundParameter> total_mass;  ///< if a mass is unknown
  Eigen::MatrixXd covariance;                ///< of the parameters
  int iterations = 0;
  bool converged = false;
  double condition_number = 0.0;  ///< of the weighted sensitivities to relative changes
  double noise_level = 0.0;       ///< stated, or else estimated
  bool noise_stated = false;
  double misfit = 0.0;  ///< RMS of the residual in deviations of the stated noise, or 1
  double most_misfit = 0.0;  ///< that a right model keeps to; 0: no noise was stated
  double freedom = 0.0;      ///< of the residual
  bool explained = true;     ///< see Uncertainty; else no parameter is identifiable
  std::vector<Eigen::VectorXd> fitted;  ///< per pass, as Response::values
  std::optional<FoundRoad> road;
  std::optional<NodalSummary> nodal;  ///< of a nodal fit
};

/// With NodalSettings the noise, the bound and the residual's test are those of a fit on
/// the strains themselves that starts from the nodal estimate; deviations are the nodal
/// fit's.
IdentificationResult identify(const IdentificationStudy& study);

}  // namespace trestle::identification
