#include "adapters/simulated/dynamic_specimen.h"

#include <array>
#include <cassert>

#include "core/math/dense_solve.h"
#include "core/math/discretisation.h"

namespace trestle::simulated {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kCoefficients = 5;

/// exp(A h): a zero-order hold without input.
MatrixXd exponential(const MatrixXd& generator, double h) {
  const Index n = generator.rows();
  return math::discretise(
             {generator, MatrixXd::Zero(n, 1), MatrixXd::Zero(1, n), MatrixXd::Zero(1, 1)},
             h)
      .A;
}

}  // namespace

DynamicSettings quarter_vehicle(const QuarterVehicleSettings& it) {
  const auto chain = [](double primary, double secondary) {
    MatrixXd matrix(3, 3);
    matrix << primary, -primary, 0.0,               //
        -primary, primary + secondary, -secondary,  //
        0.0, -secondary, secondary;
    return matrix;
  };
  return {.stiffness = chain(it.primary_stiffness, it.secondary_stiffness),
          .damping = chain(it.primary_damping, it.secondary_damping),
          .mass = Eigen::Vector3d(it.wheel_mass, it.bogie_mass, it.car_mass).asDiagonal(),
          .interface_dofs = 1};
}

DynamicSpecimen::DynamicSpecimen(const DynamicSettings& settings)
    : controlled_(settings.interface_dofs),
      stiffness_(settings.stiffness),
      damping_(settings.damping),
      mass_(settings.mass) {
  const Index c = controlled_;
  const Index o = stiffness_.rows() - c;
  assert(c > 0 && o > 0);
  const MatrixXd inner = mass_.bottomRightCorner(o, o);
  generator_ = MatrixXd::Zero(2 * o, 2 * o);
  generator_.topRightCorner(o, o).setIdentity();
  generator_.bottomLeftCorner(o, o) =
      -math::solved(inner, stiffness_.bottomRightCorner(o, o));
  generator_.bottomRightCorner(o, o) =
      -math::solved(inner, damping_.bottomRightCorner(o, o));
  entry_ = MatrixXd::Zero(2 * o, 3 * c);
  entry_.bottomRows(o) << -math::solved(inner, stiffness_.bottomLeftCorner(o, c)),
      -math::solved(inner, damping_.bottomLeftCorner(o, c)),
      -math::solved(inner, mass_.bottomLeftCorner(o, c));
  state_.setZero(2 * o);
  next_.setZero(2 * o);
  motion_.setZero(3 * c);
  path_.setZero(2 * o + kCoefficients * c);
  inner_acceleration_.setZero(o);
}

/// All coordinates from those of the interface, when it moves slowly.
MatrixXd DynamicSpecimen::follow() const {
  const Index c = controlled_;
  const Index o = stiffness_.rows() - c;
  MatrixXd follow = MatrixXd::Identity(c + o, c);
  follow.bottomRows(o) =
      -math::solved(stiffness_.bottomRightCorner(o, o), stiffness_.bottomLeftCorner(o, c));
  return follow;
}

MatrixXd DynamicSpecimen::felt(const MatrixXd& matrix) const {
  const MatrixXd all = follow();
  return all.transpose() * matrix * all;
}

MatrixXd DynamicSpecimen::base_mass(const MatrixXd& influence) const {
  const MatrixXd all = follow();
  MatrixXd moved = all * influence;
  for (Index j = 0; j < influence.cols(); ++j)
    if (influence.col(j).isOnes(0.0))
      moved.col(j).setOnes();
    else if (influence.col(j).isZero(0.0))
      moved.col(j).setZero();
  return all.transpose() * mass_ * moved;
}

void DynamicSpecimen::prepare(double period) {
  assert(period > 0.0);
  period_ = period;
  // Beside x a chain of integrators s0 = z, s1 = h z', ..., s4 = h⁴ z'''', over time in
  // periods, all numbers of one size.
  const Index c = controlled_;
  const Index n = state_.size();
  MatrixXd chain = MatrixXd::Zero(n + kCoefficients * c, n + kCoefficients * c);
  chain.topLeftCorner(n, n) = period * generator_;
  chain.block(0, n, n, c) = period * entry_.leftCols(c);
  chain.block(0, n + c, n, c) = entry_.middleCols(c, c);
  chain.block(0, n + 2 * c, n, c) = entry_.rightCols(c) / period;
  chain.bottomRightCorner(kCoefficients * c, kCoefficients * c).diagonal(c).setOnes();
  forward_ = exponential(chain, 1.0).topRows(n);
  state_.setZero();
  motion_.setZero();
}

InterfaceVector DynamicSpecimen::advance(const InterfaceVector& displacement,
                                         const InterfaceVector& velocity,
                                         const InterfaceVector& acceleration) noexcept {
  assert(period_ > 0.0 && displacement.size() == controlled_);
  const Index c = controlled_;
  const Index n = state_.size();
  const double h = period_;
  path_.head(n) = state_;
  for (Index i = 0; i < c; ++i) {
    const double start = motion_[i];
    const double slope = h * motion_[c + i];
    const double way = displacement[i] - start - slope;
    const double turn = h * velocity[i] - slope;
    const double bend = h * h * acceleration[i];
    const double fourth = 0.5 * bend - 2.0 * turn + 3.0 * way;
    const double third = 5.0 * turn - 8.0 * way - bend;
    const double second = way - third - fourth;
    const std::array<double, kCoefficients> derivatives{start, slope, 2.0 * second,
                                                        6.0 * third, 24.0 * fourth};
    for (Index j = 0; j < kCoefficients; ++j)
      path_[n + j * c + i] = derivatives[static_cast<std::size_t>(j)];
  }
  next_.noalias() = forward_.lazyProduct(path_);
  state_.swap(next_);
  motion_.head(c) = displacement;
  motion_.segment(c, c) = velocity;
  motion_.tail(c) = acceleration;
  const Index o = n / 2;
  inner_acceleration_.noalias() = generator_.bottomRows(o).lazyProduct(state_);
  inner_acceleration_.noalias() += entry_.bottomRows(o).lazyProduct(motion_);
  InterfaceVector force(c);
  force.noalias() = stiffness_.topLeftCorner(c, c).lazyProduct(displacement);
  force.noalias() += stiffness_.topRightCorner(c, o).lazyProduct(state_.head(o));
  force.noalias() += damping_.topLeftCorner(c, c).lazyProduct(velocity);
  force.noalias() += damping_.topRightCorner(c, o).lazyProduct(state_.tail(o));
  force.noalias() += mass_.topLeftCorner(c, c).lazyProduct(acceleration);
  force.noalias() += mass_.topRightCorner(c, o).lazyProduct(inner_acceleration_);
  return force;
}

template <typename Self, typename Archive>
void DynamicSpecimen::visit(Self& self, Archive& archive) {
  archive(self.state_, self.motion_);
}

void DynamicSpecimen::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void DynamicSpecimen::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
