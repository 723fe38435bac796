#include "site-servers/trajectory/predictor_corrector_trajectory.h"

#include <algorithm>
#include <cmath>

namespace trestle::trajectory {
namespace {

// A correction is never shorter than this part of a step, however late its target is.
constexpr double kShortestCorrection = 0.3;
// It is made longer by this factor until it is within its limits.
constexpr double kLonger = 1.1;
constexpr double kLongestCorrection = 1e8;
// Progress below this part of its full rate is standing still.
constexpr double kStill = 0.02;
// Tolerance of a limit, for rounding.
constexpr double kAHair = 1.0 + 1e-9;
// Number of points at which a predictor's path is checked.
constexpr int kLooks = 8;

}  // namespace

PredictorCorrectorTrajectory::PredictorCorrectorTrajectory(
    const InterfaceLayout& layout, const ContinuousSettings& settings)
    : settings_(settings) {
  for (const InterfaceDof& dof : layout) {
    if (dof.role != DofRole::kControlled) continue;
    rates_.push_back(dof.rate_limit);
    accelerations_.push_back(dof.acceleration_limit);
  }
  path_.resize(rates_.size());
  start(InterfaceVector::Zero(static_cast<Eigen::Index>(rates_.size())));
}

void PredictorCorrectorTrajectory::start(const InterfaceVector& displacement) noexcept {
  now_ = InterfaceMotion::zero(displacement.size());
  now_.displacement = displacement;
  way_ = InterfaceVector::Zero(displacement.size());
  aim_ = from_ = now_;
  targets_.fill(displacement);
  known_ = 0;
  correcting_ = false;
  arrived_ = true;
  progress_ = 0.0;
  phase_ = TrajectoryPhase::kAtTarget;
}

void PredictorCorrectorTrajectory::aim(const InterfaceMotion& target, int ticks) noexcept {
  const double scale = settings_.scale;
  from_ = now_;
  aim_.displacement = target.displacement;
  aim_.velocity = target.velocity / scale;
  aim_.acceleration = target.acceleration / (scale * scale);
  if (settings_.ramp_and_hold) {
    aim_.velocity.setZero();
    aim_.acceleration.setZero();
  }
  for (Eigen::Index i = 0; i < aim_.velocity.size(); ++i) {
    const double rate = rates_[static_cast<std::size_t>(i)];
    aim_.velocity[i] = std::clamp(aim_.velocity[i], -rate, rate);
  }
  const double shortest = std::ceil(kShortestCorrection * settings_.ticks_per_step);
  const double longest = std::ceil(required_duration() / settings_.tick);
  double length = std::max({static_cast<double>(ticks), shortest, 1.0});
  while (length < longest && !within_limits(length * settings_.tick))
    length = std::min(std::ceil(length * kLonger), longest);
  correction_ = static_cast<int>(std::min(length, kLongestCorrection));
  tick_ = 0;
  correcting_ = true;
  arrived_ = false;
  phase_ = TrajectoryPhase::kMoving;
}

InterfaceMotion PredictorCorrectorTrajectory::next() noexcept {
  const InterfaceVector before = now_.displacement;
  if (correcting_)
    now_ = corrected();
  else if (known_ > 0 && !settings_.ramp_and_hold)
    now_ = predicted();
  else if (known_ > 0)
    phase_ = TrajectoryPhase::kHolding;
  way_ = now_.displacement - before;
  return now_;
}

int PredictorCorrectorTrajectory::remaining_ticks() const noexcept {
  if (correcting_) return correction_ - tick_;
  return arrived_ ? 0 : settings_.ticks_per_step;
}

void PredictorCorrectorTrajectory::hold() noexcept {
  const InterfaceVector here = now_.displacement;  // start() begins with an empty now_
  start(here);
}

/// The cubic from now to the aim, over this time [s].
bool PredictorCorrectorTrajectory::within_limits(double h) const noexcept {
  for (Eigen::Index i = 0; i < from_.displacement.size(); ++i) {
    const auto dof = static_cast<std::size_t>(i);
    const double way = aim_.displacement[i] - from_.displacement[i];
    const double v0 = from_.velocity[i];
    const double v1 = aim_.velocity[i];
    const double a0 = (6.0 * way / h - 4.0 * v0 - 2.0 * v1) / h;
    const double a1 = (-6.0 * way / h + 2.0 * v0 + 4.0 * v1) / h;
    if (std::max(std::abs(a0), std::abs(a1)) > accelerations_[dof] * kAHair) return false;
    // The velocity is a parabola: its extremum lies inside where the ends pull apart.
    double fastest = std::max(std::abs(v0), std::abs(v1));
    if (a0 * a1 < 0.0)
      fastest = std::max(fastest, std::abs(v0 - 0.5 * h * a0 * a0 / (a1 - a0)));
    if (fastest > rates_[dof] * kAHair) return false;
  }
  return true;
}

/// A time in which the cubic is within its limits for certain [s]: with |v0| and |v1| up to
/// the rate V its velocity stays below V where the way's mean does not exceed V/3, and
/// either half of 6·way/h² + 6·max(|v0|, |v1|)/h stays below half of the acceleration.
double PredictorCorrectorTrajectory::required_duration() const noexcept {
  double time = 0.0;
  for (Eigen::Index i = 0; i < from_.displacement.size(); ++i) {
    const auto dof = static_cast<std::size_t>(i);
    const double way = std::abs(aim_.displacement[i] - from_.displacement[i]);
    const double v = std::max(std::abs(from_.velocity[i]), std::abs(aim_.velocity[i]));
    const double a = accelerations_[dof];
    time =
        std::max({time, 3.0 * way / rates_[dof], std::sqrt(12.0 * way / a), 12.0 * v / a});
  }
  return time;
}

InterfaceMotion PredictorCorrectorTrajectory::corrected() noexcept {
  ++tick_;
  if (tick_ >= correction_) {
    arrive();
    return aim_;
  }
  const double h = correction_ * settings_.tick;
  const double s = static_cast<double>(tick_) / correction_;
  const InterfaceVector way = aim_.displacement - from_.displacement;
  // The first motion is not one that a compensator should lead: it reports the target's
  // rates.
  const InterfaceVector& v0 = from_.velocity;
  const InterfaceVector& v1 = aim_.velocity;
  if (known_ == 0)
    return {from_.displacement + s * s * (3.0 - 2.0 * s) * way - h * s * s * (1.0 - s) * v1,
            v1, aim_.acceleration};
  // The acceleration goes straight from one end's to the other's: that of the cubic would
  // magnify what is uneven in the velocities.
  return {from_.displacement + s * s * (3.0 - 2.0 * s) * way +
              h * s * (1.0 - s) * ((1.0 - s) * v0 - s * v1),
          6.0 * s * (1.0 - s) / h * way + (1.0 - s) * (1.0 - 3.0 * s) * v0 +
              s * (3.0 * s - 2.0) * v1,
          from_.acceleration + s * (aim_.acceleration - from_.acceleration)};
}

void PredictorCorrectorTrajectory::arrive() noexcept {
  correcting_ = false;
  arrived_ = true;
  for (int i = kHistory - 1; i > 0; --i)
    targets_[static_cast<std::size_t>(i)] = targets_[static_cast<std::size_t>(i - 1)];
  targets_[0] = aim_.displacement;
  known_ = std::min(known_ + 1, kHistory);
  progress_ = 0.0;
  rate_ = 1.0 / settings_.ticks_per_step;
  begin_prediction();
}

void PredictorCorrectorTrajectory::begin_prediction() noexcept {
  // The polynomial through the last p targets needs p of them, the newest included.
  const int order = std::min(settings_.order, known_);
  for (std::size_t dof = 0; dof < path_.size(); ++dof) {
    for (int p = order; p >= 1; --p) {
      path_[dof] = fitted(static_cast<Eigen::Index>(dof), p);
      if (is_within_limits(dof)) break;
    }
  }
}

/// Checks the predicted path at full rate, up to its hold.
bool PredictorCorrectorTrajectory::is_within_limits(std::size_t dof) const noexcept {
  const double step = settings_.ticks_per_step * settings_.tick;
  for (int n = 0; n <= kLooks; ++n) {
    const double t = settings_.hold_after * n / kLooks;
    if (std::abs(path_[dof].bend(t)) > accelerations_[dof] * step * step) return false;
    if (std::abs(path_[dof].slope(t)) > rates_[dof] * step * kAHair) return false;
  }
  return true;
}

PredictorCorrectorTrajectory::Polynomial PredictorCorrectorTrajectory::fitted(
    Eigen::Index dof, int order) const noexcept {
  const double g = aim_.velocity[dof] * settings_.ticks_per_step * settings_.tick;
  const double x0 = targets_[0][dof];
  // Remainder at τ = −1, −2, −3 for c·τ² + d·τ³ + e·τ⁴.
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

/// Returns the rate of τ per tick for the remaining way to the hold.
double PredictorCorrectorTrajectory::wanted_rate() const noexcept {
  const double full = 1.0 / settings_.ticks_per_step;
  if (progress_ <= settings_.slow_down_after) return full;
  const double left = (settings_.hold_after - progress_) /
                      (settings_.hold_after - settings_.slow_down_after);
  return full * std::max(left, 0.0);
}

/// Towards the wanted rate as fast as the accelerations allow.
void PredictorCorrectorTrajectory::advance_progress() noexcept {
  const double tick = settings_.tick;
  const double t = progress_ + rate_;
  double least = -rate_;
  double most = 0.0;  // it never goes faster again
  for (std::size_t dof = 0; dof < path_.size(); ++dof) {
    const double slope = path_[dof].slope(t);
    const double bent = path_[dof].bend(t) * rate_ * rate_;
    const double allowed = accelerations_[dof] * tick * tick;
    if (std::abs(slope) * rate_ <= allowed) continue;  // as good as at its turning point
    const double one = (-allowed - bent) / slope;
    const double other = (allowed - bent) / slope;
    least = std::max(least, std::min(one, other));
    most = std::min(most, std::max(one, other));
  }
  const double change = std::max(std::min(wanted_rate() - rate_, most), least);
  rate_ = std::clamp(rate_ + change, 0.0, rate_);
  progress_ += rate_;
}

InterfaceMotion PredictorCorrectorTrajectory::predicted() noexcept {
  const double t0 = progress_;
  advance_progress();
  const double t = progress_;
  const double tick = settings_.tick;
  const double per_second = rate_ / tick;
  InterfaceMotion target = now_;
  bool still = rate_ * settings_.ticks_per_step <= kStill;
  for (Eigen::Index i = 0; i < now_.displacement.size(); ++i) {
    const auto dof = static_cast<std::size_t>(i);
    const Polynomial& path = path_[dof];
    const double change = accelerations_[dof] * tick * tick;
    const double farthest = rates_[dof] * tick;
    const double wanted = path.way(t) - path.way(t0);
    const double way = std::clamp(std::clamp(wanted, way_[i] - change, way_[i] + change),
                                  -std::max(farthest, std::abs(way_[i]) - change),
                                  std::max(farthest, std::abs(way_[i]) - change));
    target.displacement[i] += way;
    target.velocity[i] = path.slope(t) * per_second;
    // That of the path: a compensator that led its braking as well would throw the drive
    // back for a target that is there a tick later.
    target.acceleration[i] = path.bend(t) * per_second * per_second;
    if (std::abs(way - wanted) > change * 1e-9) {
      target.velocity[i] = way / tick;
      target.acceleration[i] = (way - way_[i]) / (tick * tick);
      still = false;
    }
    target.velocity[i] = std::clamp(target.velocity[i], -rates_[dof], rates_[dof]);
  }
  phase_ = t <= settings_.slow_down_after ? TrajectoryPhase::kPredicting
           : still                        ? TrajectoryPhase::kHolding
                                          : TrajectoryPhase::kSlowing;
  return target;
}

template <typename Self, typename Archive>
void PredictorCorrectorTrajectory::visit(Self& self, Archive& archive) {
  archive(self.targets_);
  for (auto* target : {&self.now_, &self.aim_, &self.from_}) {
    archive(target->displacement, target->velocity, target->acceleration);
  }
  archive(self.way_);
  for (auto& path : self.path_) {
    archive(path.g, path.c, path.d, path.e);
  }
  archive(self.known_, self.progress_, self.rate_, self.correction_, self.tick_,
          self.correcting_, self.arrived_, self.phase_);
}

void PredictorCorrectorTrajectory::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void PredictorCorrectorTrajectory::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::trajectory
