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
      step_{.follow = follow_of(settings.stiffness, settings.controlled),
            .stiffness = settings.stiffness.topRows(dofs_),
            .damping = settings.damping.topRows(dofs_),
            .mass = settings.mass.topRows(dofs_)} {
  assert(settings.stiffness.rows() >= dofs_);
  for (Eigen::VectorXd* vector :
       {&step_.position, &step_.velocity, &step_.acceleration, &step_.next})
    vector->setZero(step_.follow.rows());
}

MatrixXd KinematicSpecimen::felt(const MatrixXd& rows) const {
  const Index controlled = step_.follow.cols();
  const MatrixXd block = rows.topRows(controlled) * step_.follow;
  MatrixXd result = MatrixXd::Zero(dofs_, dofs_);
  result.topLeftCorner(controlled, controlled) = 0.5 * (block + block.transpose());
  return result;
}

void KinematicSpecimen::prepare(double period) {
  assert(period > 0.0);
  step_.period = period;
  step_.reset();
}

InterfaceVector KinematicSpecimen::advance(
    const InterfaceVector& displacement, const InterfaceVector& /*velocity*/,
    const InterfaceVector& /*acceleration*/) noexcept {
  assert(step_.period > 0.0);
  InterfaceVector force(dofs_);
  step_.advance(displacement.head(step_.follow.cols()), force);
  return force;
}

template <typename Self, typename Archive>
void KinematicSpecimen::visit(Self& self, Archive& archive) {
  archive(self.step_.begun, self.step_.position, self.step_.velocity);
}

void KinematicSpecimen::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void KinematicSpecimen::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
