#include "core/math/discretisation.h"

#include <cassert>
#include <unsupported/Eigen/MatrixFunctions>

#include "core/math/lu_factor.h"

namespace trestle::math {
namespace {

/// exp of [A B; 0 0]·h holds both integrals (Van Loan 1978).
DiscreteStateSpace zero_order_hold(const StateSpace& system, double h) {
  const Eigen::Index n = system.states();
  const Eigen::Index m = system.inputs();
  Eigen::MatrixXd generator = Eigen::MatrixXd::Zero(n + m, n + m);
  generator.topLeftCorner(n, n) = system.A * h;
  generator.topRightCorner(n, m) = system.B * h;
  const Eigen::MatrixXd exponential = generator.exp();
  return {exponential.topLeftCorner(n, n), exponential.topRightCorner(n, m), system.C,
          system.D, h};
}

DiscreteStateSpace runge_kutta_hold(const StateSpace& system, double h) {
  const Eigen::Index n = system.states();
  const Eigen::MatrixXd Ah = system.A * h;
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(n, n);
  // Horner, from the innermost bracket outwards.
  const Eigen::MatrixXd integral = unit + Ah / 2.0 * (unit + Ah / 3.0 * (unit + Ah / 4.0));
  return {unit + Ah * integral, h * integral * system.B, system.C, system.D, h};
}

DiscreteStateSpace tustin(const StateSpace& system, double h) {
  const Eigen::Index n = system.states();
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(n, n);
  const LuFactor backward(unit - system.A * (h / 2.0));
  DiscreteStateSpace discrete;
  discrete.A = backward.solve(unit + system.A * (h / 2.0));
  discrete.B = backward.solve(system.B * h);
  discrete.C = system.C * backward.inverse();
  discrete.D = system.D + system.C * discrete.B / 2.0;
  discrete.period = h;
  return discrete;
}

}  // namespace

DiscreteStateSpace discretise(const StateSpace& system, double period,
                              Discretisation method) {
  assert(sizes_fit(system) && period > 0.0);
  if (system.states() == 0) return {system.A, system.B, system.C, system.D, period};
  switch (method) {
    case Discretisation::kTustin:
      return tustin(system, period);
    case Discretisation::kRungeKuttaHold:
      return runge_kutta_hold(system, period);
    case Discretisation::kZeroOrderHold:
      break;
  }
  return zero_order_hold(system, period);
}

}  // namespace trestle::math
