#include "site-servers/trajectory/interpolated_trajectory.h"

#include <cmath>
#include <limits>

namespace trestle::trajectory {
namespace {

// Time constant with which the velocity of a motion without a target decays [s]. Many times
// the lead of a compensator would coast too far; a fraction of it would stop too suddenly:
// the velocity part of the command must not vanish faster than the actuators may move.
constexpr double kCoast = 0.02;
// Shares of a DOF's rate while it catches up: for its motion, and for the rates that it
// reports to a compensator.
constexpr double kShareOfWay = 0.75;
constexpr double kShareOfLead = 0.4;

}  // namespace

InterpolatedTrajectory::InterpolatedTrajectory(int dofs, double time_step,
                                               int ticks_per_step) noexcept
    : time_step_(time_step),
      ticks_(ticks_per_step),
      kept_(std::exp(-time_step / kCoast)),
      farthest_(InterfaceVector::Constant(dofs, std::numeric_limits<double>::infinity())),
      path_(dofs, time_step, ticks_per_step),
      tick_(ticks_per_step),
      last_(InterfaceMotion::zero(dofs)) {}

InterpolatedTrajectory::InterpolatedTrajectory(const InterfaceLayout& layout,
                                               double time_step,
                                               int ticks_per_step) noexcept
    : InterpolatedTrajectory(static_cast<int>(controlled_dofs(layout)), time_step,
                             ticks_per_step) {
  Eigen::Index place = 0;
  for (const InterfaceDof& dof : layout)
    if (dof.role == DofRole::kControlled)
      farthest_[place++] = dof.rate_limit * time_step / ticks_per_step;
}

void InterpolatedTrajectory::start(const InterfaceVector& displacement) noexcept {
  path_.start(displacement);
  tick_ = ticks_;
  last_ = InterfaceMotion::zero(displacement.size());
  last_.displacement = displacement;
  making_up_ = resting_ = anew_ = false;
}

void InterpolatedTrajectory::aim(const InterfaceMotion& target, int /*ticks*/) noexcept {
  if (anew_) {
    path_.start_towards(target);
    making_up_ = anew_ = false;
  } else {
    path_.aim(target);
  }
  tick_ = 0;
  resting_ = false;
}

InterfaceMotion InterpolatedTrajectory::next() noexcept {
  const bool arrived_before = arrived();
  if (!arrived_before) ++tick_;
  const InterfaceMotion before = last_;
  last_ = path_.at(arrived_before ? ticks_ : tick_);
  if (arrived_before) {
    last_.velocity.setZero();
    last_.acceleration.setZero();
  }
  if (making_up_) bound(before);
  return last_;
}

/// Limits the motion of the tick while it catches up. A compensator leads by the reported
/// velocity and acceleration: these change so slowly that motion and lead together stay
/// within the limits of the actuators.
void InterpolatedTrajectory::bound(const InterfaceMotion& before) noexcept {
  bool behind = false;
  const auto limit = [&behind](double& value, double last, double most) {
    if (!(std::abs(value - last) > most)) return;
    behind = true;
    value = last + std::copysign(most, value - last);
  };
  for (Eigen::Index i = 0; i < farthest_.size(); ++i) {
    limit(last_.displacement[i], before.displacement[i], kShareOfWay * farthest_[i]);
    limit(last_.velocity[i], before.velocity[i], kShareOfLead * farthest_[i] / kCoast);
    limit(last_.acceleration[i], before.acceleration[i],
          kShareOfLead * farthest_[i] / (kCoast * kCoast));
  }
  if (!behind && !resting_ && arrived()) making_up_ = false;
}

void InterpolatedTrajectory::hold() noexcept {
  if (arrived() && !making_up_) return;
  path_.start(last_.displacement);
  tick_ = ticks_;
  last_.velocity.setZero();
  last_.acceleration.setZero();
  making_up_ = resting_ = false;
}

void InterpolatedTrajectory::decelerate_to_rest() noexcept {
  const InterfaceMotion from = path_.at(ticks_);
  path_.aim({from.displacement + kCoast * (1.0 - kept_) * from.velocity,
             kept_ * from.velocity, kept_ * from.acceleration});
  tick_ = 0;
  making_up_ = resting_ = true;
}

void InterpolatedTrajectory::skip() noexcept {
  if (!arrived()) ++tick_;
  making_up_ = true;
}

template <typename Self, typename Archive>
void InterpolatedTrajectory::visit(Self& self, Archive& archive) {
  archive(self.path_, self.tick_, self.last_.displacement, self.last_.velocity,
          self.last_.acceleration, self.making_up_, self.resting_, self.anew_);
}

void InterpolatedTrajectory::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void InterpolatedTrajectory::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::trajectory
