#include "site-servers/control/continuous_motion.h"

#include <algorithm>
#include <cmath>

namespace trestle {
namespace {

// A correction is never shorter than this part of a step, however late its target is.
constexpr double kShortestCorrection = 0.3;
// It is made longer by this factor until it is within its limits, at most so often.
constexpr double kLonger = 1.15;
constexpr int kMostTries = 40;
// Progress below this part of its full rate is standing still.
constexpr double kStill = 0.02;

}  // namespace

ContinuousMotion::ContinuousMotion(const InterfaceLayout& layout,
                                   const ContinuousSettings& settings)
    : settings_(settings) {
  for (const InterfaceDof& dof : layout) {
    if (dof.role != DofRole::kControlled) continue;
    rates_.push_back(dof.rate_limit);
    accelerations_.push_back(dof.acceleration_limit);
  }
  path_.resize(rates_.size());
  start(InterfaceVector::Zero(static_cast<Eigen::Index>(rates_.size())));
}

void ContinuousMotion::start(const InterfaceVector& displacement) noexcept {
  now_ = Target::zero(displacement.size());
  now_.displacement = displacement;
  aim_ = from_ = now_;
  targets_.fill(displacement);
  known_ = 0;
  correcting_ = false;
  arrived_ = true;
  progress_ = 0.0;
  phase_ = MotionPhase::kResting;
}

void ContinuousMotion::aim(const Target& target, int ticks) noexcept {
  const double scale = settings_.scale;
  from_ = now_;
  aim_ = {target.displacement, target.velocity / scale,
          target.acceleration / (scale * scale)};
  if (settings_.ramp_and_hold) {
    aim_.velocity.setZero();
    aim_.acceleration.setZero();
  }
  const double shortest = std::ceil(kShortestCorrection * settings_.ticks_per_step);
  double length = std::max({static_cast<double>(ticks), shortest, 1.0});
  for (int n = 0; n < kMostTries && !within_limits(length * settings_.tick); ++n)
    length = std::ceil(length * kLonger);
  correction_ = static_cast<int>(length);
  tick_ = 0;
  correcting_ = true;
  arrived_ = false;
  phase_ = MotionPhase::kMoving;
}

Target ContinuousMotion::next() noexcept {
  if (correcting_)
    now_ = corrected();
  else if (known_ > 0 && !settings_.ramp_and_hold)
    now_ = predicted();
  else if (known_ > 0)
    phase_ = MotionPhase::kHeld;
  return now_;
}

int ContinuousMotion::ticks_left() const noexcept {
  if (correcting_) return correction_ - tick_;
  return arrived_ ? 0 : settings_.ticks_per_step;
}

void ContinuousMotion::hold() noexcept {
  start(now_.displacement);
}

/// Of the cubic from now to the aim, over this time [s].
bool ContinuousMotion::within_limits(double h) const noexcept {
  for (Eigen::Index i = 0; i < from_.displacement.size(); ++i) {
    const auto dof = static_cast<std::size_t>(i);
    const double way = aim_.displacement[i] - from_.displacement[i];
    const double v0 = from_.velocity[i];
    const double v1 = aim_.velocity[i];
    const double a0 = (6.0 * way / h - 4.0 * v0 - 2.0 * v1) / h;
    const double a1 = (-6.0 * way / h + 2.0 * v0 + 4.0 * v1) / h;
    if (std::max(std::abs(a0), std::abs(a1)) > accelerations_[dof]) return false;
    // The velocity is a parabola: its extremum lies inside where the ends pull apart.
    double fastest = std::max(std::abs(v0), std::abs(v1));
    if (a0 * a1 < 0.0)
      fastest = std::max(fastest, std::abs(v0 - 0.5 * h * a0 * a0 / (a1 - a0)));
    if (fastest > rates_[dof]) return false;
  }
  return true;
}

Target ContinuousMotion::corrected() noexcept {
  ++tick_;
  if (tick_ >= correction_) {
    arrive();
    return aim_;
  }
  const double h = correction_ * settings_.tick;
  const double s = static_cast<double>(tick_) / correction_;
  const InterfaceVector way = aim_.displacement - from_.displacement;
  // The first way is no motion that a compensator should lead: it is told the target's
  // rates.
  if (known_ == 0)
    return {from_.displacement + s * s * (3.0 - 2.0 * s) * way, aim_.velocity,
            aim_.acceleration};
  const InterfaceVector& v0 = from_.velocity;
  const InterfaceVector& v1 = aim_.velocity;
  // The acceleration goes straight from one end's to the other's: that of the cubic would
  // magnify what is uneven in the velocities.
  return {from_.displacement + s * s * (3.0 - 2.0 * s) * way +
              h * s * (1.0 - s) * ((1.0 - s) * v0 - s * v1),
          6.0 * s * (1.0 - s) / h * way + (1.0 - s) * (1.0 - 3.0 * s) * v0 +
              s * (3.0 * s - 2.0) * v1,
          from_.acceleration + s * (aim_.acceleration - from_.acceleration)};
}

void ContinuousMotion::arrive() noexcept {
  correcting_ = false;
  arrived_ = true;
  for (int i = kHistory - 1; i > 0; --i)
    targets_[static_cast<std::size_t>(i)] = targets_[static_cast<std::size_t>(i - 1)];
  targets_[0] = aim_.displacement;
  known_ = std::min(known_ + 1, kHistory);
  progress_ = 0.0;
  begin_prediction();
}

void ContinuousMotion::begin_prediction() noexcept {
  const double step = settings_.ticks_per_step * settings_.tick;
  // The polynomial through the last p targets needs p of them, the newest included.
  const int order = std::min(settings_.order, known_);
  for (Eigen::Index i = 0; i < aim_.displacement.size(); ++i) {
    const auto dof = static_cast<std::size_t>(i);
    for (int p = order; p >= 1; --p) {
      path_[dof] = fitted(i, p);
      if (std::abs(2.0 * path_[dof].c) <= accelerations_[dof] * step * step) break;
    }
  }
}

ContinuousMotion::Polynomial ContinuousMotion::fitted(Eigen::Index dof,
                                                      int order) const noexcept {
  const double g = aim_.velocity[dof] * settings_.ticks_per_step * settings_.tick;
  const double x0 = targets_[0][dof];
  // What is left at τ = −1, −2, −3 for c·τ² + d·τ³ + e·τ⁴.
  const double at_1 = targets_[1][dof] - x0 + g;
  const double at_2 = targets_[2][dof] - x0 + 2.0 * g;
  const double at_3 = targets_[3][dof] - x0 + 3.0 * g;
  if (order <= 1) return {g, 0.0, 0.0, 0.0};
  if (order == 2) return {g, at_1, 0.0, 0.0};
  if (order == 3) {
    const double d = (4.0 * at_1 - at_2) / 4.0;
    return {g, at_1 + d, d, 0.0};
  }
  const double e = (at_3 + 9.0 * at_1 - 4.5 * at_2) / 18.0;
  const double d = 3.0 * e - (at_2 - 4.0 * at_1) / 4.0;
  return {g, at_1 + d - e, d, e};
}

/// Of τ per tick, with what is left of the way to where it holds.
double ContinuousMotion::progress_rate() const noexcept {
  const double full = 1.0 / settings_.ticks_per_step;
  if (progress_ <= settings_.slow_after) return full;
  const double left =
      (settings_.hold_at - progress_) / (settings_.hold_at - settings_.slow_after);
  return full * std::max(left, 0.0);
}

Target ContinuousMotion::predicted() noexcept {
  const double full = 1.0 / settings_.ticks_per_step;
  const double before = progress_rate();
  double rate = before;
  for (Eigen::Index i = 0; i < now_.displacement.size(); ++i) {
    const auto dof = static_cast<std::size_t>(i);
    const auto& [g, c, d, e] = path_[dof];
    const double t = progress_ + rate;
    const double slope = std::abs(g + t * (2.0 * c + t * (3.0 * d + t * 4.0 * e)));
    if (slope * rate > rates_[dof] * settings_.tick)
      rate = rates_[dof] * settings_.tick / slope;
  }
  progress_ = std::min(progress_ + rate, settings_.hold_at);
  const double t = progress_;
  const double per_second = rate / settings_.tick;
  const double braking =
      t > settings_.slow_after
          ? -full / settings_.tick / (settings_.hold_at - settings_.slow_after) * per_second
          : 0.0;
  Target target = now_;
  for (Eigen::Index i = 0; i < now_.displacement.size(); ++i) {
    const auto& [g, c, d, e] = path_[static_cast<std::size_t>(i)];
    const double slope = g + t * (2.0 * c + t * (3.0 * d + t * 4.0 * e));
    const double bend = 2.0 * c + t * (6.0 * d + t * 12.0 * e);
    target.displacement[i] = targets_[0][i] + t * (g + t * (c + t * (d + t * e)));
    target.velocity[i] = slope * per_second;
    target.acceleration[i] = bend * per_second * per_second + slope * braking;
  }
  phase_ = rate >= full           ? MotionPhase::kPredicting
           : rate > kStill * full ? MotionPhase::kSlowed
                                  : MotionPhase::kHeld;
  return target;
}

void ContinuousMotion::save(SnapshotWriter& snapshot) const {
  for (const InterfaceVector& target : targets_) snapshot.add(target);
  for (const Target* target : {&now_, &aim_, &from_}) {
    snapshot.add(target->displacement);
    snapshot.add(target->velocity);
    snapshot.add(target->acceleration);
  }
  for (const Polynomial& path : path_)
    for (const double value : {path.g, path.c, path.d, path.e}) snapshot.add(value);
  for (const double value :
       {static_cast<double>(known_), progress_, static_cast<double>(correction_),
        static_cast<double>(tick_), correcting_ ? 1.0 : 0.0, arrived_ ? 1.0 : 0.0,
        static_cast<double>(phase_)})
    snapshot.add(value);
}

void ContinuousMotion::restore(SnapshotReader& snapshot) {
  for (InterfaceVector& target : targets_) snapshot.fill(target);
  for (Target* target : {&now_, &aim_, &from_}) {
    snapshot.fill(target->displacement);
    snapshot.fill(target->velocity);
    snapshot.fill(target->acceleration);
  }
  for (Polynomial& path : path_)
    for (double* value : {&path.g, &path.c, &path.d, &path.e}) *value = snapshot.next();
  known_ = static_cast<int>(snapshot.next());
  progress_ = snapshot.next();
  correction_ = static_cast<int>(snapshot.next());
  tick_ = static_cast<int>(snapshot.next());
  correcting_ = snapshot.next() != 0.0;
  arrived_ = snapshot.next() != 0.0;
  phase_ = static_cast<MotionPhase>(static_cast<int>(snapshot.next()));
}

}  // namespace trestle
