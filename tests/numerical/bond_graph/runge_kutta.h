#pragma once

#include <Eigen/Core>

namespace trestle::bond_graph {

/// One classic step of fourth order of x' = rate(t, x).
template <typename Rate>
Eigen::VectorXd runge_kutta_step(const Rate& rate, double t, const Eigen::VectorXd& x,
                                 double h) {
  const Eigen::VectorXd a = rate(t, x);
  const Eigen::VectorXd b = rate(t + 0.5 * h, (x + 0.5 * h * a).eval());
  const Eigen::VectorXd c = rate(t + 0.5 * h, (x + 0.5 * h * b).eval());
  const Eigen::VectorXd d = rate(t + h, (x + h * c).eval());
  return x + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
}

}  // namespace trestle::bond_graph
