#include "bench/whole_test/floor_loop.h"

#include <cmath>
#include <stdexcept>

#include "core/math/dense_solve.h"
#include "core/math/matrix_file.h"

namespace trestle::bench {
namespace {

constexpr double kStep = 1.0 / 1024.0;  // [s]
constexpr double kArm = 0.295;          // [m]
constexpr double kAngle = 0.444;        // [rad]

Eigen::MatrixXd matrix(const std::string& file) {
  const Result<Eigen::MatrixXd> read = math::read_matrix(file);
  if (!read) throw std::runtime_error(read.error().detail);
  return read.value();
}

}  // namespace

FloorLoop::FloorLoop(const std::string& folder) {
  const Eigen::MatrixXd stiffness = matrix(folder + "/stiffness.csv");
  const Eigen::MatrixXd mass = matrix(folder + "/mass.csv");
  const Eigen::MatrixXd damping = 1.25 * mass + 5.6e-4 * stiffness;
  const Eigen::MatrixXd effective =
      mass + 0.5 * kStep * damping + 0.25 * kStep * kStep * stiffness;
  stiffness_ = stiffness.sparseView();
  damping_ = damping.sparseView();
  inverse_ = math::inverse(effective);
  base_ = -mass.diagonal();
  rest_ = Eigen::VectorXd::Zero(stiffness.rows());
  hybrid_ = undivided_ = {rest_, rest_, rest_};

  A_.setZero();
  A_.diagonal().setConstant(0.8);
  A_.diagonal(1).setConstant(0.05);
  B_.setConstant(0.02);
  C_.setConstant(0.6);
  state_.setZero();
  follow_.setConstant(-0.2);
  follow_.topRows<2>().setIdentity();
  bay_stiffness_.setConstant(1e5);
  bay_damping_.setConstant(50.0);
  bay_mass_.setConstant(0.1);
  z_.setZero();
  rate_.setZero();
}

void FloorLoop::advance(Motion& motion, const Eigen::VectorXd& load) {
  motion.d += kStep * (motion.v + 0.25 * kStep * motion.a);
  motion.v += 0.5 * kStep * motion.a;
  rest_ = load;
  rest_.noalias() -= stiffness_ * motion.d;
  rest_.noalias() -= damping_ * motion.v;
  motion.a.noalias() = inverse_ * rest_;
  motion.d += 0.25 * kStep * kStep * motion.a;
  motion.v += 0.5 * kStep * motion.a;
}

Eigen::Vector2d FloorLoop::strokes(double x, double theta) const {
  return {x + kArm * (std::cos(theta - kAngle) - std::cos(kAngle)),
          x + kArm * (std::cos(theta + kAngle) - std::cos(kAngle))};
}

Eigen::Vector2d FloorLoop::site_force(double x, double theta) {
  state_ = A_ * state_ + B_ * strokes(x, theta);
  const Eigen::Vector2d stroke = C_ * state_;
  const double turned =
      std::asin((stroke[0] - stroke[1]) / (2.0 * kArm * std::sin(kAngle)));
  const Eigen::Vector2d measured{
      stroke[0] - kArm * (std::cos(turned - kAngle) - std::cos(kAngle)), turned};
  const Eigen::Matrix<double, 5, 1> next = follow_ * measured;
  const Eigen::Matrix<double, 5, 1> rate = (next - z_) / kStep;
  const Eigen::Vector3d force =
      bay_stiffness_ * next + bay_damping_ * rate + bay_mass_ * ((rate - rate_) / kStep);
  z_ = next;
  rate_ = rate;
  const double first = -kArm * std::sin(turned - kAngle);
  const double second = -kArm * std::sin(turned + kAngle);
  const Eigen::Vector2d along{(second * force[0] - force[1]) / (second - first),
                              (force[1] - first * force[0]) / (second - first)};
  return {along[0] + along[1], first * along[0] + second * along[1]};
}

double FloorLoop::run(std::int64_t steps) {
  Eigen::VectorXd load = base_;
  Eigen::Vector2d force = Eigen::Vector2d::Zero();
  for (std::int64_t step = 0; step < steps; ++step) {
    const double ground = std::sin(0.01 * static_cast<double>(step));
    load = ground * base_;
    advance(undivided_, load);
    load[26] -= 1e-3 * force[0];
    load[20] -= 1e-3 * force[1];
    advance(hybrid_, load);
    force = site_force(hybrid_.d[26], hybrid_.d[20]);
  }
  return undivided_.d.sum() + hybrid_.d.sum() + force.sum();
}

}  // namespace trestle::bench
