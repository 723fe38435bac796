#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "studies/identification/vehicle_matrices.h"

namespace trestle::identification {

/// The quarter car on the beam once more, by other means: exact sine modes of the beam,
/// vehicle and modes as one system of first order, Runge and Kutta's method of fourth order
/// with steps that leave no error of note. B1's numbers; w and y positive down.
class ModalOracle {
 public:
  ModalOracle(int modes, const Eigen::VectorXd& car, bool damped, bool moving_mass)
      : modes_(modes), car_(car), moving_mass_(moving_mass) {
    omega_.resize(modes);
    for (int n = 0; n < modes; ++n)
      omega_(n) = std::pow((n + 1) * std::numbers::pi / kLength, 2.0) *
                  std::sqrt(kStiffness / kMass);
    damping_ = Eigen::ArrayXd::Zero(modes);
    if (!damped) return;
    const double b = 2.0 * kRatio / (omega_(0) + omega_(1));
    damping_ = b * omega_(0) * omega_(1) + b * omega_.square();
  }

  /// Deflection at midspan at the ends of `samples` equal parts of the crossing.
  Eigen::VectorXd midspan(int samples, int steps_per_sample) const {
    const double h = kLength / kSpeed / samples / steps_per_sample;
    Eigen::ArrayXd state = Eigen::ArrayXd::Zero(2 * modes_ + 4);
    Eigen::VectorXd seen(samples);
    for (int k = 0; k < samples; ++k) {
      for (int i = 0; i < steps_per_sample; ++i)
        state = stepped(state, h * (k * steps_per_sample + i), h);
      seen(k) = deflection(state, 0.5 * kLength);
    }
    return seen;
  }

  const Eigen::ArrayXd& omega() const { return omega_; }

  static constexpr double kLength = 30.0, kStiffness = 2.5e10, kMass = 5e3, kRatio = 0.02,
                          kSpeed = 25.0;

 private:
  Eigen::ArrayXd shape(double x) const {
    return (Eigen::ArrayXd::LinSpaced(modes_, 1, modes_) * std::numbers::pi * x / kLength)
        .sin();
  }
  double deflection(const Eigen::ArrayXd& state, double x) const {
    return (state.head(modes_) * shape(x)).sum();
  }
  Eigen::ArrayXd rate(const Eigen::ArrayXd& state, double time) const {
    const double x = kSpeed * time;
    const auto y = state.tail(4);  // y1, y2, y1', y2'
    const double suspension = car_(3) * (y(0) - y(1)) + car_(2) * (y(2) - y(3));
    const double tyre = moving_mass_ ? car_(4) * (y(1) - deflection(state, x)) : 0.0;
    const double force = (car_(0) + car_(1)) * kGravity + tyre;
    Eigen::ArrayXd rate(state.size());
    rate.head(modes_) = state.segment(modes_, modes_);
    rate.segment(modes_, modes_) = 2.0 * force / (kMass * kLength) * shape(x) -
                                   damping_ * state.segment(modes_, modes_) -
                                   omega_.square() * state.head(modes_);
    rate.tail(4) << y(2), y(3), -suspension / car_(0), (suspension - tyre) / car_(1);
    return rate;
  }
  Eigen::ArrayXd stepped(const Eigen::ArrayXd& s, double t, double h) const {
    const Eigen::ArrayXd a = rate(s, t), b = rate(s + 0.5 * h * a, t + 0.5 * h),
                         c = rate(s + 0.5 * h * b, t + 0.5 * h), d = rate(s + h * c, t + h);
    return s + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }

  int modes_;
  Eigen::VectorXd car_;
  bool moving_mass_;
  Eigen::ArrayXd omega_;
  Eigen::ArrayXd damping_;
};

}  // namespace trestle::identification
