#include "numerical/integration/static_equilibrium.h"

#include "numerical/integration/static_newton.h"

namespace trestle::integration {

Eigen::VectorXd static_equilibrium(const structure::StructuralModel& structure,
                                   const Eigen::VectorXd& load, int increments) {
  StaticNewton newton(structure);
  for (int i = 1; i <= increments; ++i) {
    const double factor = static_cast<double>(i) / increments;
    newton.reach(factor * load, factor);
  }
  return newton.displacement();
}

}  // namespace trestle::integration
