#include "core/tracking/tracking_estimator.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trestle {
namespace {

// Below this part of the diagonal's product the two regressors are one.
constexpr double kDependent = 1e-12;

}  // namespace

TrackingEstimator::TrackingEstimator(double period, double forgetting) noexcept
    : period_(period), forgetting_(forgetting) {
  assert(period > 0.0);
  assert(forgetting > 0.0 && forgetting <= 1.0);
}

void TrackingEstimator::add(double target, double measured, double force) noexcept {
  const double error = measured - target;
  if (forgetting_ < 1.0) forget();
  target_squares_ += target * target;
  error_squares_ += error * error;
  target_peak_ = std::max(target_peak_, std::abs(target));
  error_peak_ = std::max(error_peak_, std::abs(error));
  if (samples_ >= 1)
    energy_error_ += 0.5 * (error + last_measured_ - last_target_) * (force - last_force_);
  if (samples_ >= 2) {
    const double velocity = (target - older_target_) / (2.0 * period_);
    sums_.target_target += last_target_ * last_target_;
    sums_.target_velocity += last_target_ * velocity;
    sums_.velocity_velocity += velocity * velocity;
    sums_.target_measured += last_target_ * last_measured_;
    sums_.velocity_measured += velocity * last_measured_;
  }
  older_target_ = last_target_;
  last_target_ = target;
  last_measured_ = measured;
  last_force_ = force;
  ++samples_;
}

void TrackingEstimator::forget() noexcept {
  for (double* sum : {&sums_.target_target, &sums_.target_velocity,
                      &sums_.velocity_velocity, &sums_.target_measured,
                      &sums_.velocity_measured, &target_squares_, &error_squares_})
    *sum *= forgetting_;
}

Tracking TrackingEstimator::result() const noexcept {
  Tracking result;
  if (!(target_squares_ > 0.0)) return result;
  result.nrmse = std::sqrt(error_squares_ / target_squares_);
  result.peak_error = error_peak_ / target_peak_;
  result.energy_error = energy_error_;

  const Sums& s = sums_;
  const double product = s.target_target * s.velocity_velocity;
  const double determinant = product - s.target_velocity * s.target_velocity;
  if (!(determinant > kDependent * product)) return result;
  const double c0 =
      (s.velocity_velocity * s.target_measured - s.target_velocity * s.velocity_measured) /
      determinant;
  const double c1 =
      (s.target_target * s.velocity_measured - s.target_velocity * s.target_measured) /
      determinant;
  // Central differences of a tone show sin(ω·period)/period in place of ω.
  const double seen = std::sqrt(s.velocity_velocity / s.target_target);
  const double frequency = std::asin(std::min(1.0, seen * period_)) / period_;
  result.amplitude = std::hypot(c0, c1 * seen);
  result.delay = std::atan2(-c1 * seen, c0) / frequency;
  return result;
}

void TrackingEstimator::reset() noexcept {
  *this = TrackingEstimator(period_, forgetting_);
}

void TrackingEstimator::save(SnapshotWriter& snapshot) const {
  snapshot.add(static_cast<double>(samples_));
  for (const double value :
       {older_target_, last_target_, last_measured_, last_force_, sums_.target_target,
        sums_.target_velocity, sums_.velocity_velocity, sums_.target_measured,
        sums_.velocity_measured, target_squares_, error_squares_, target_peak_, error_peak_,
        energy_error_})
    snapshot.add(value);
}

void TrackingEstimator::restore(SnapshotReader& snapshot) {
  samples_ = static_cast<std::int64_t>(snapshot.next());
  for (double* value :
       {&older_target_, &last_target_, &last_measured_, &last_force_, &sums_.target_target,
        &sums_.target_velocity, &sums_.velocity_velocity, &sums_.target_measured,
        &sums_.velocity_measured, &target_squares_, &error_squares_, &target_peak_,
        &error_peak_, &energy_error_})
    *value = snapshot.next();
}

}  // namespace trestle
