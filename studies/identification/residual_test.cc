#include "studies/identification/residual_test.h"

#include <cmath>

namespace trestle::identification {

double largest_square_sum(double freedom) {
  constexpr double kNormal = 3.090232306;  // exceeded with kResidualSignificance
  const double part = 2.0 / (9.0 * freedom);
  return freedom * std::pow(1.0 - part + kNormal * std::sqrt(part), 3.0);
}

}  // namespace trestle::identification
