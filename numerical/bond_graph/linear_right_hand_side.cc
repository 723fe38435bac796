#include "numerical/bond_graph/linear_right_hand_side.h"

#include <utility>

namespace trestle::bond_graph {

LinearRightHandSide::LinearRightHandSide(math::StateSpace system)
    : system_(std::move(system)) {}

bool LinearRightHandSide::evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u,
                                   Eigen::VectorXd& rate,
                                   Eigen::VectorXd& output) noexcept {
  rate.noalias() = system_.A * x;
  rate.noalias() += system_.B * u;
  output.noalias() = system_.C * x;
  output.noalias() += system_.D * u;
  return true;
}

}  // namespace trestle::bond_graph
