#include "numerical/bridge/linear_vehicle.h"

#include "core/math/dense_solve.h"
#include "core/math/discretisation.h"

namespace trestle::bridge {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearVehicle::LinearVehicle(const LinearVehicleSettings& settings, double step)
    : contacts_(settings.contacts), free_(settings.mass.rows() - settings.contacts) {
  const Index c = contacts_;
  const Index n = free_;
  const MatrixXd& M = settings.mass;
  const MatrixXd& C = settings.damping;
  const MatrixXd& K = settings.stiffness;
  // For the free rows: z'' = −M⁻¹ (K z + C z' + the effect of the contacts' motion).
  MatrixXd held(n, 2 * n);
  MatrixXd driven(n, 3 * c);
  held << -K.bottomRightCorner(n, n), -C.bottomRightCorner(n, n);
  driven << -K.bottomLeftCorner(n, c), -C.bottomLeftCorner(n, c), -M.bottomLeftCorner(n, c);
  generator_ = MatrixXd::Zero(2 * n, 2 * n);
  entry_ = MatrixXd::Zero(2 * n, 3 * c);
  standing_ = MatrixXd::Zero(2 * n, c);
  if (n > 0) {
    const MatrixXd mass = M.bottomRightCorner(n, n);
    generator_.topRightCorner(n, n).setIdentity();
    generator_.bottomRows(n) = math::solved(mass, held);
    entry_.bottomRows(n) = math::solved(mass, driven);
    if (const auto still = math::solve_if_regular(K.bottomRightCorner(n, n),
                                                  -K.bottomLeftCorner(n, c), 1e-13))
      standing_.topRows(n) = *still;
  }
  const MatrixXd inertia = M.topRightCorner(c, n);
  output_.resize(c, 2 * n);
  output_ << K.topRightCorner(c, n), C.topRightCorner(c, n);
  output_ += inertia * generator_.bottomRows(n);
  direct_.resize(c, 3 * c);
  direct_ << K.topLeftCorner(c, c), C.topLeftCorner(c, c), M.topLeftCorner(c, c);
  direct_ += inertia * entry_.bottomRows(n);

  // The line from u₀ to u₁ as states with a constant slope.
  math::StateSpace line;
  line.A = MatrixXd::Zero(2 * n + 3 * c, 2 * n + 3 * c);
  line.A.topLeftCorner(2 * n, 2 * n) = generator_;
  line.A.topRightCorner(2 * n, 3 * c) = entry_;
  line.B = MatrixXd::Zero(2 * n + 3 * c, 3 * c);
  line.B.bottomRows(3 * c).setIdentity();
  line.C = MatrixXd::Zero(1, 2 * n + 3 * c);
  line.D = MatrixXd::Zero(1, 3 * c);
  const math::DiscreteStateSpace moved = math::discretise(line, step);
  forward_ = moved.A.topLeftCorner(2 * n, 2 * n);
  after_ = moved.B.topRows(2 * n) / step;
  before_ = moved.A.topRightCorner(2 * n, 3 * c) - after_;
  by_motion_ = output_ * after_ + direct_;

  state_ = next_ = VectorXd::Zero(2 * n);
  free_force_ = force_ = VectorXd::Zero(c);
  acceleration_ = VectorXd::Zero(n);
  motion_ = VectorXd::Zero(3 * c);
}

void LinearVehicle::reset(const ContactMotion& motion) noexcept {
  state_.noalias() = standing_ * motion.head(contacts_);
  if (free_ > 0)
    state_.tail(free_).noalias() =
        standing_.topRows(free_) * motion.segment(contacts_, contacts_);
  answer(motion);
}

void LinearVehicle::begin() noexcept {
  next_.noalias() = forward_ * state_;
  next_.noalias() += before_ * motion_;
  state_.swap(next_);
  free_force_.noalias() = output_ * state_;
}

void LinearVehicle::end(const ContactMotion& motion) noexcept {
  state_.noalias() += after_ * motion;
  answer(motion);
}

void LinearVehicle::answer(const ContactMotion& motion) noexcept {
  motion_ = motion;
  force_.noalias() = output_ * state_;
  force_.noalias() += direct_ * motion;
  if (free_ == 0) return;
  acceleration_.noalias() = generator_.bottomRows(free_) * state_;
  acceleration_.noalias() += entry_.bottomRows(free_) * motion;
}

template <typename Self, typename Archive>
void LinearVehicle::visit(Self& self, Archive& archive) {
  archive(self.state_, self.motion_);
}

void LinearVehicle::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void LinearVehicle::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::bridge
