#include "adapters/simulated/kinematic_specimen.h"

#include <cassert>

#include "core/math/dense_solve.h"

namespace trestle::simulated {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

MatrixXd follow_of(const MatrixXd& stiffness, Index controlled) {
  const Index led = stiffness.rows() - controlled;
  MatrixXd follow = MatrixXd::Identity(stiffness.rows(), controlled);
  if (led > 0)
    follow.bottomRows(led) = -math::solved(stiffness.bottomRightCorner(led, led),
                                           stiffness.bottomLeftCorner(led, controlled));
  return follow;
}

}  // namespace

KinematicSpecimen::KinematicSpecimen(const KinematicSettings& settings)
    : dofs_(settings.controlled + settings.force_only),
      follow_(follow_of(settings.stiffness, settings.controlled)),
      stiffness_(settings.stiffness.topRows(dofs_)),
      damping_(settings.damping.topRows(dofs_)),
      mass_(settings.mass.topRows(dofs_)) {
  assert(settings.stiffness.rows() >= dofs_);
  for (Eigen::VectorXd* vector : {&position_, &velocity_, &acceleration_, &next_})
    vector->setZero(follow_.rows());
}

MatrixXd KinematicSpecimen::felt(const MatrixXd& rows) const {
  const Index controlled = follow_.cols();
  const MatrixXd block = rows.topRows(controlled) * follow_;
  MatrixXd result = MatrixXd::Zero(dofs_, dofs_);
  result.topLeftCorner(controlled, controlled) = 0.5 * (block + block.transpose());
  return result;
}

void KinematicSpecimen::prepare(double period) {
  assert(period > 0.0);
  period_ = period;
  begun_ = false;
  for (Eigen::VectorXd* vector : {&position_, &velocity_, &acceleration_, &next_})
    vector->setZero();
}

InterfaceVector KinematicSpecimen::advance(
    const InterfaceVector& displacement, const InterfaceVector& /*velocity*/,
    const InterfaceVector& /*acceleration*/) noexcept {
  assert(period_ > 0.0);
  next_.noalias() = follow_.lazyProduct(displacement.head(follow_.cols()));
  if (begun_) {
    for (Index i = 0; i < next_.size(); ++i) {
      const double velocity = (next_[i] - position_[i]) / period_;
      acceleration_[i] = (velocity - velocity_[i]) / period_;
      velocity_[i] = velocity;
    }
  }
  begun_ = true;
  position_.swap(next_);
  InterfaceVector force(dofs_);
  force.noalias() = stiffness_.lazyProduct(position_);
  force.noalias() += damping_.lazyProduct(velocity_);
  force.noalias() += mass_.lazyProduct(acceleration_);
  return force;
}

template <typename Self, typename Archive>
void KinematicSpecimen::visit(Self& self, Archive& archive) {
  archive(self.begun_, self.position_, self.velocity_);
}

void KinematicSpecimen::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void KinematicSpecimen::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
