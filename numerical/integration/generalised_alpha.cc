#include "numerical/integration/generalised_alpha.h"

#include <stdexcept>
#include <string>

namespace trestle::integration {

GeneralisedAlpha GeneralisedAlpha::by_radius(double rho_infinity, const char* scheme) {
  if (!(rho_infinity >= 0.0 && rho_infinity <= 1.0))
    throw std::invalid_argument(std::string(scheme) + ": rho_infinity is " +
                                std::to_string(rho_infinity) +
                                "; must lie between 0 and 1");
  // Both weights are 1/2 then: the equation of motion of a step is that of its two ends,
  // and what is left over at one would return at the other.
  if (rho_infinity == 1.0) return {};
  const double sum = 1.0 + rho_infinity;
  return {.inertia = (2.0 - rho_infinity) / sum,
          .force = 1.0 / sum,
          .beta = 1.0 / (sum * sum),
          .gamma = 0.5 * (3.0 - rho_infinity) / sum};
}

GeneralisedAlpha GeneralisedAlpha::by_alpha(double alpha) {
  if (!(alpha >= -1.0 / 3.0 - 1e-12 && alpha <= 0.0))
    throw std::invalid_argument("implicit: alpha is " + std::to_string(alpha) +
                                "; must lie between -1/3 and 0");
  return {.inertia = 1.0,
          .force = 1.0 + alpha,
          .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha),
          .gamma = 0.5 * (1.0 - 2.0 * alpha)};
}

}  // namespace trestle::integration
