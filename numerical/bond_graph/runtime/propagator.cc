#include "numerical/bond_graph/runtime/propagator.h"

#include <cassert>

#include "core/math/discretisation.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// x' = A x + B u with u' = s held over the period as further states, so that the
/// zero-order hold of s is the first-order hold of u: its entry is Γ₁·h.
math::StateSpace with_slopes(const math::StateSpace& system) {
  const Index n = system.A.rows();
  const Index m = system.B.cols();
  math::StateSpace larger{MatrixXd::Zero(n + m, n + m), MatrixXd::Zero(n + m, m),
                          MatrixXd::Identity(n + m, n + m), MatrixXd::Zero(n + m, m)};
  larger.A.topLeftCorner(n, n) = system.A;
  larger.A.topRightCorner(n, m) = system.B;
  larger.B.bottomRows(m).setIdentity();
  return larger;
}

}  // namespace

Propagator::Propagator(const std::optional<math::StateSpace>& linear, RightHandSide& system,
                       double period)
    : system_(system),
      period_(period),
      linear_(linear.has_value()),
      next_(VectorXd::Zero(system.states())),
      middle_input_(VectorXd::Zero(system.inputs())),
      rate_(next_),
      sum_(next_),
      stage_(next_),
      output_(VectorXd::Zero(system.outputs())) {
  if (!linear_) return;
  const Index n = system.states();
  const Index m = system.inputs();
  transition_ = MatrixXd::Identity(n, n);
  from_before_ = from_after_ = MatrixXd::Zero(n, m);
  if (period == 0.0) return;
  const math::DiscreteStateSpace held = math::discretise(with_slopes(*linear), period);
  transition_ = held.A.topLeftCorner(n, n);
  from_after_ = held.B.topRows(n) / period;
  from_before_ = held.A.topRightCorner(n, m) - from_after_;
}

bool Propagator::advance(VectorXd& x, const VectorXd& before,
                         const VectorXd& after) noexcept {
  assert(x.size() == next_.size() && before.size() == middle_input_.size());
  if (!linear_) return runge_kutta(x, before, after);
  next_.noalias() = transition_ * x;
  next_.noalias() += from_before_ * before;
  next_.noalias() += from_after_ * after;
  x = next_;
  return true;
}

bool Propagator::runge_kutta(VectorXd& x, const VectorXd& before,
                             const VectorXd& after) noexcept {
  const double h = period_;
  if (!system_.evaluate(x, before, rate_, output_)) return false;
  sum_ = rate_;
  stage_ = x + 0.5 * h * rate_;
  middle_input_ = 0.5 * (before + after);
  if (!system_.evaluate(stage_, middle_input_, rate_, output_)) return false;
  sum_ += 2.0 * rate_;
  stage_ = x + 0.5 * h * rate_;
  if (!system_.evaluate(stage_, middle_input_, rate_, output_)) return false;
  sum_ += 2.0 * rate_;
  stage_ = x + h * rate_;
  if (!system_.evaluate(stage_, after, rate_, output_)) return false;
  x += h / 6.0 * (sum_ + rate_);
  return true;
}

}  // namespace trestle::bond_graph
