#include "studies/pretest/linear_rig_model.h"

#include <cmath>

namespace trestle::pretest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kSignals = 4;  // read, felt, velocity, acceleration

/// From x' = A x + B u, d' = C x + D u: adds rates by backward differences for the
/// actuators whose `jumps`, and takes those given for the others.
struct Motion {
  MatrixXd A, B;  // of the states
  MatrixXd C, D;  // displacement after the tick
  MatrixXd rate_C, rate_D;
  MatrixXd acceleration_C, acceleration_D;
  std::vector<bool> jumps;
};

LinearRigModel with_differences(const Motion& it, double tick) {
  const Index n = it.A.rows();
  const Index m = it.B.cols();
  // States: those of the model, then displacement and velocity at the tick before.
  const Index states = n + 2 * m;
  MatrixXd displacement = MatrixXd::Zero(m, states + m);
  displacement << it.C, MatrixXd::Zero(m, 2 * m), it.D;
  MatrixXd velocity = MatrixXd::Zero(m, states + m);
  velocity << it.rate_C, MatrixXd::Zero(m, 2 * m), it.rate_D;
  MatrixXd acceleration = MatrixXd::Zero(m, states + m);
  acceleration << it.acceleration_C, MatrixXd::Zero(m, 2 * m), it.acceleration_D;
  for (Index i = 0; i < m; ++i) {
    if (!it.jumps[static_cast<std::size_t>(i)]) continue;
    velocity.row(i) = displacement.row(i) / tick;
    velocity(i, n + i) -= 1.0 / tick;
    acceleration.row(i) = velocity.row(i) / tick;
    acceleration(i, n + m + i) -= 1.0 / tick;
  }
  MatrixXd next(states, states + m);
  next << it.A, MatrixXd::Zero(n, 2 * m), it.B, displacement, velocity;
  MatrixXd out(kSignals * m, states + m);
  out << displacement, displacement, velocity, acceleration;
  return {{next.leftCols(states), next.rightCols(m), out.leftCols(states), out.rightCols(m),
           tick}};
}

}  // namespace

FractionalDelay in_ticks(double delay, double tick) {
  constexpr double kWhole = 1e-9;
  const double ticks = delay / tick;
  const double nearest = std::round(ticks);
  if (std::abs(ticks - nearest) <= kWhole * std::fmax(1.0, nearest))
    return {.whole = static_cast<Index>(nearest)};
  return {.whole = static_cast<Index>(std::floor(ticks)),
          .earlier = ticks - std::floor(ticks)};
}

LinearRigModel linear_actuators(const math::StateSpace& model,
                                const math::DiscreteStateSpace& sampled) {
  const MatrixXd rate_of_rate = model.C * model.A;
  Motion it{.A = sampled.A,
            .B = sampled.B,
            .C = sampled.C * sampled.A,
            .D = sampled.C * sampled.B + sampled.D,
            .rate_C = rate_of_rate * sampled.A,
            .rate_D = rate_of_rate * sampled.B + model.C * model.B,
            .acceleration_C = rate_of_rate * model.A * sampled.A,
            .acceleration_D = rate_of_rate * (model.A * sampled.B + model.B),
            .jumps = {}};
  for (Index i = 0; i < model.outputs(); ++i)
    it.jumps.push_back(!model.D.row(i).isZero(0.0));
  return with_differences(it, sampled.period);
}

LinearRigModel delayed_actuator(double delay, double gain, double tick) {
  const auto [whole, earlier] = in_ticks(delay, tick);
  const Index kept = whole + (earlier > 0.0 ? 1 : 0);  // drives of past ticks
  MatrixXd line(1, kept + 1);                          // over the past, then the drive
  line.setZero();
  const auto place = [&](Index ticks_ago) {
    return ticks_ago == 0 ? kept : ticks_ago - 1;
  };
  line(0, place(whole)) += gain * (1.0 - earlier);
  if (earlier > 0.0) line(0, place(whole + 1)) += gain * earlier;
  MatrixXd A = MatrixXd::Zero(kept, kept);
  MatrixXd B = MatrixXd::Zero(kept, 1);
  if (kept > 0) {
    B(0, 0) = 1.0;
    A.bottomLeftCorner(kept - 1, kept - 1).setIdentity();
  }
  const MatrixXd none = MatrixXd::Zero(1, kept);
  const MatrixXd nothing = MatrixXd::Zero(1, 1);
  return with_differences({.A = A,
                           .B = B,
                           .C = line.leftCols(kept),
                           .D = line.rightCols(1),
                           .rate_C = none,
                           .rate_D = nothing,
                           .acceleration_C = none,
                           .acceleration_D = nothing,
                           .jumps = {true}},
                          tick);
}

LinearRigModel in_series(const LinearRigModel& first, const LinearRigModel& second) {
  const math::DiscreteStateSpace& a = first.system;
  const math::DiscreteStateSpace& b = second.system;
  const Index m = first.actuators();
  const MatrixXd told = a.C.topRows(m);
  const MatrixXd told_at_once = a.D.topRows(m);
  math::DiscreteStateSpace both;
  both.A = MatrixXd::Zero(a.A.rows() + b.A.rows(), a.A.rows() + b.A.rows());
  both.A.topLeftCorner(a.A.rows(), a.A.rows()) = a.A;
  both.A.bottomLeftCorner(b.A.rows(), a.A.rows()) = b.B * told;
  both.A.bottomRightCorner(b.A.rows(), b.A.rows()) = b.A;
  both.B = MatrixXd(both.A.rows(), m);
  both.B << a.B, b.B * told_at_once;
  both.C = MatrixXd(b.C.rows(), both.A.rows());
  both.C << b.D * told, b.C;
  both.D = b.D * told_at_once;
  both.period = b.period;
  return {both};
}

LinearRigModel side_by_side(const std::vector<LinearRigModel>& rigs) {
  Index states = 0;
  Index m = 0;
  for (const LinearRigModel& rig : rigs) {
    states += rig.system.A.rows();
    m += rig.actuators();
  }
  math::DiscreteStateSpace all{MatrixXd::Zero(states, states), MatrixXd::Zero(states, m),
                               MatrixXd::Zero(kSignals * m, states),
                               MatrixXd::Zero(kSignals * m, m),
                               rigs.empty() ? 0.0 : rigs.front().system.period};
  Index x = 0;
  Index u = 0;
  for (const LinearRigModel& rig : rigs) {
    const math::DiscreteStateSpace& one = rig.system;
    const Index own = one.A.rows();
    const Index inputs = rig.actuators();
    all.A.block(x, x, own, own) = one.A;
    all.B.block(x, u, own, inputs) = one.B;
    for (Index signal = 0; signal < kSignals; ++signal) {
      all.C.block(signal * m + u, x, inputs, own) =
          one.C.middleRows(signal * inputs, inputs);
      all.D.block(signal * m + u, u, inputs, inputs) =
          one.D.middleRows(signal * inputs, inputs);
    }
    x += own;
    u += inputs;
  }
  return {all};
}

}  // namespace trestle::pretest
