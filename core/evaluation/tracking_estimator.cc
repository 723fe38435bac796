#include "core/evaluation/tracking_estimator.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace trestle::evaluation {
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
  result.uncertainty = uncertainty(c0, c1, determinant, frequency);
  return result;
}

/// Residual of the fit, divided by the number of errors: the sums of the normal equations
/// give it without another pass.
double TrackingEstimator::uncertainty(double c0, double c1, double determinant,
                                      double frequency) const noexcept {
  constexpr double kFewest = 8.0;
  const double none = std::numeric_limits<double>::infinity();
  const auto all = static_cast<double>(samples_);
  const double count =
      forgetting_ < 1.0 ? (1.0 - std::pow(forgetting_, all)) / (1.0 - forgetting_) : all;
  if (count < kFewest || count * period_ * frequency < 0.5 * std::numbers::pi) return none;
  const Sums& s = sums_;
  const double explained = (c0 - 1.0) * (s.target_measured - s.target_target) +
                           c1 * (s.velocity_measured - s.target_velocity);
  const double left = std::max(0.0, error_squares_ - explained) / (count - 2.0);
  return std::sqrt(2.0 * left * s.velocity_velocity / determinant);
}

void TrackingEstimator::reset() noexcept {
  *this = TrackingEstimator(period_, forgetting_);
}

template <typename Self, typename Archive>
void TrackingEstimator::visit(Self& self, Archive& archive) {
  archive(self.samples_, self.older_target_, self.last_target_, self.last_measured_,
          self.last_force_, self.sums_.target_target, self.sums_.target_velocity,
          self.sums_.velocity_velocity, self.sums_.target_measured,
          self.sums_.velocity_measured, self.target_squares_, self.error_squares_,
          self.target_peak_, self.error_peak_, self.energy_error_);
}

void TrackingEstimator::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void TrackingEstimator::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::evaluation
