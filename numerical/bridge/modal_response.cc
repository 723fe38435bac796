#include "numerical/bridge/modal_response.h"

#include <cmath>

namespace trestle::bridge {

using Eigen::ArrayXd;
using Eigen::Index;

ModalResponse::ModalResponse(const Eigen::VectorXd& frequency,
                             const Eigen::VectorXd& damping, double step,
                             ModalScheme scheme)
    : frequency_(frequency), damping_(damping) {
  for (ArrayXd* values : {&a00_, &a01_, &a10_, &a11_, &b0_, &b1_, &c0_, &c1_, &c2_,
                          &position_, &velocity_, &acceleration_, &load_, &spare_})
    *values = ArrayXd::Zero(frequency.size());
  if (scheme == ModalScheme::kExact)
    fill_exact(step);
  else
    fill_average_acceleration(step);
  c2_ = 1.0 - 2.0 * damping_.array() * frequency_.array() * c1_ -
        frequency_.array().square() * c0_;
}

/// Free vibration, and the particular solution of a straight line (Chopra, Dynamics of
/// Structures, 2017, sec. 5.2).
void ModalResponse::fill_exact(double step) {
  for (Index n = 0; n < frequency_.size(); ++n) {
    const double w = frequency_[n];
    const double z = damping_[n];
    const double root = std::sqrt(1.0 - z * z);
    const double wd = w * root;
    const double fade = std::exp(-z * w * step);
    const double sine = fade * std::sin(wd * step);
    const double cosine = fade * std::cos(wd * step);
    const double k = w * w;
    a00_[n] = z / root * sine + cosine;
    a01_[n] = sine / wd;
    a10_[n] = -k * a01_[n];
    a11_[n] = cosine - z / root * sine;
    const double turn = w * step;
    // Two sums that cancel to (ω h)²: of slow modes their series.
    if (turn < 0.004) {
      const double h2 = step * step;
      b0_[n] =
          h2 / 3.0 - z * turn * h2 / 4.0 + h2 * turn * turn * (4.0 * z * z - 1.0) / 30.0;
      c0_[n] =
          h2 / 6.0 - z * turn * h2 / 12.0 + h2 * turn * turn * (4.0 * z * z - 1.0) / 120.0;
    } else {
      const double rest = 2.0 * z / turn;
      b0_[n] = (rest + ((1.0 - 2.0 * z * z) / (wd * step) - z / root) * sine -
                (1.0 + rest) * cosine) /
               k;
      c0_[n] = (1.0 - rest + (2.0 * z * z - 1.0) / (wd * step) * sine + rest * cosine) / k;
    }
    // ∫ of the impulse response over the step is a01 = b₁ + c₁; its first moment gives c₁.
    c1_[n] = turn < 0.004
                 ? step * (0.5 - z * turn / 3.0 - turn * turn * (1.0 - 4.0 * z * z) / 24.0)
                 : (1.0 - a00_[n]) / (k * step);
    b1_[n] = a01_[n] - c1_[n];
  }
}

void ModalResponse::fill_average_acceleration(double step) {
  const double h = step;
  const ArrayXd k = frequency_.array().square();
  const ArrayXd c = 2.0 * damping_.array() * frequency_.array();
  const ArrayXd whole = 1.0 + 0.5 * h * c + 0.25 * h * h * k;
  // q₁'' = p₁ − c q₁' − k q₁ with both ends averaged; q₀'' = p₀ − c q₀' − k q₀.
  c0_ = 0.25 * h * h / whole;
  c1_ = 0.5 * h / whole;
  const auto fill = [&](double q, double v, double p, ArrayXd& position,
                        ArrayXd& velocity) {
    const ArrayXd a = p - c * v - k * q;
    const ArrayXd free_v = v + 0.5 * h * a;
    const ArrayXd free_q = q + h * v + 0.25 * h * h * a;
    const ArrayXd next = -(c * free_v + k * free_q) / whole;
    position = free_q + 0.25 * h * h * next;
    velocity = free_v + 0.5 * h * next;
  };
  fill(1.0, 0.0, 0.0, a00_, a10_);
  fill(0.0, 1.0, 0.0, a01_, a11_);
  fill(0.0, 0.0, 1.0, b0_, b1_);
}

void ModalResponse::reset() noexcept {
  for (ArrayXd* values : {&position_, &velocity_, &acceleration_, &load_, &spare_})
    values->setZero();
}

void ModalResponse::begin() noexcept {
  spare_ = a10_ * position_ + a11_ * velocity_ + b1_ * load_;
  position_ = a00_ * position_ + a01_ * velocity_ + b0_ * load_;
  velocity_ = spare_;
  acceleration_ = -2.0 * damping_.array() * frequency_.array() * velocity_ -
                  frequency_.array().square() * position_;
  load_.setZero();
}

void ModalResponse::add(const ShapeValues& shapes, double force) noexcept {
  const Index n = shapes.first;
  const Index count = shapes.count;
  auto p = spare_.head(count);
  p = force * shapes.value.head(count).array();
  load_.segment(n, count) += p;
  position_.segment(n, count) += c0_.segment(n, count) * p;
  velocity_.segment(n, count) += c1_.segment(n, count) * p;
  acceleration_.segment(n, count) += c2_.segment(n, count) * p;
}

Deflection ModalResponse::at(const ShapeValues& shapes, double speed) const noexcept {
  Deflection sum;
  for (Index i = 0; i < shapes.count; ++i) {
    const Index n = shapes.first + i;
    sum.displacement += shapes.value[i] * position_[n];
    sum.velocity += shapes.value[i] * velocity_[n] + speed * shapes.slope[i] * position_[n];
    sum.acceleration += shapes.value[i] * acceleration_[n] +
                        2.0 * speed * shapes.slope[i] * velocity_[n] +
                        speed * speed * shapes.curvature[i] * position_[n];
  }
  return sum;
}

Deflection ModalResponse::compliance(const ShapeValues& shapes, double speed,
                                     const ShapeValues& source) const noexcept {
  Deflection sum;
  if (shapes.count == 0 || source.count == 0 || shapes.first != source.first) return sum;
  for (Index i = 0; i < shapes.count; ++i) {
    const Index n = shapes.first + i;
    const double p = source.value[i];
    sum.displacement += shapes.value[i] * c0_[n] * p;
    sum.velocity += (shapes.value[i] * c1_[n] + speed * shapes.slope[i] * c0_[n]) * p;
    sum.acceleration += (shapes.value[i] * c2_[n] + 2.0 * speed * shapes.slope[i] * c1_[n] +
                         speed * speed * shapes.curvature[i] * c0_[n]) *
                        p;
  }
  return sum;
}

bool ModalResponse::finite() const noexcept {
  return std::isfinite(acceleration_.sum());
}

template <typename Self, typename Archive>
void ModalResponse::visit(Self& self, Archive& archive) {
  archive(self.position_, self.velocity_, self.acceleration_, self.load_);
}

void ModalResponse::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void ModalResponse::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::bridge
