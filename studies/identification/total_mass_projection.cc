#include "studies/identification/total_mass_projection.h"

#include <cmath>
#include <limits>

namespace trestle::identification {

MassProjection fit_total_mass(const IdentificationProblem& problem,
                              const Reparametrisation& variables,
                              const Eigen::VectorXd& theta, const Eigen::VectorXd& weights,
                              std::size_t passes) {
  const Eigen::VectorXd readings = weights.cwiseProduct(measured(problem, passes));
  const auto weighted_response = [&](const Eigen::VectorXd& parameters) -> Eigen::VectorXd {
    return weights.cwiseProduct(
        respond(problem, parameters, {}, Sensitivities::kWithout, passes).values);
  };
  MassProjection found{variables.parameters(theta), 0.0};
  Eigen::VectorXd response = weighted_response(found.parameters);
  if (variables.total() >= 0) {
    const double share = response.dot(readings) / response.squaredNorm();
    if (share > 0.0 && std::isfinite(share)) {
      Eigen::VectorXd scaled = theta;
      scaled(variables.total()) += std::log(share);
      found.parameters = variables.parameters(scaled);
      response = weighted_response(found.parameters);
    }
  }
  const double cost = (response - readings).squaredNorm();
  found.cost = std::isfinite(cost) ? cost : std::numeric_limits<double>::max();
  return found;
}

}  // namespace trestle::identification
