#include "adapters/simulated/linear_specimen.h"

#include <cassert>

namespace trestle::simulated {

LinearSpecimen::LinearSpecimen(const Eigen::MatrixXd& stiffness,
                               const Eigen::MatrixXd& damping, const Eigen::MatrixXd& mass)
    : stiffness_(stiffness), damping_(damping), mass_(mass) {
  assert(damping.rows() == stiffness.rows() && mass.rows() == stiffness.rows());
}

int LinearSpecimen::dofs() const noexcept {
  return static_cast<int>(stiffness_.rows());
}

InterfaceVector LinearSpecimen::advance(const InterfaceVector& displacement,
                                        const InterfaceVector& velocity,
                                        const InterfaceVector& acceleration) noexcept {
  InterfaceVector force(stiffness_.rows());
  force.noalias() = stiffness_.lazyProduct(displacement);
  force.noalias() += damping_.lazyProduct(velocity);
  force.noalias() += mass_.lazyProduct(acceleration);
  return force;
}

}  // namespace trestle::simulated
