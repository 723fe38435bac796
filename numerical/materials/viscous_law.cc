#include "numerical/materials/viscous_law.h"

#include <algorithm>
#include <cmath>

#include "core/base/setting_checks.h"

namespace trestle::materials {
namespace {

constexpr double kLeastExponent = 0.1;
constexpr double kLargestExponent = 2.0;
constexpr int kMostCorrections = 80;  // halvings of a bracket to the last bit, and more

}  // namespace

ViscousLaw::ViscousLaw(const ViscousLawSettings& settings)
    : coefficient_(settings.coefficient),
      exponent_(settings.exponent),
      stiffness_(settings.stiffness) {
  require_above_zero(settings.coefficient, "coefficient");
  require_within(settings.exponent, kLeastExponent, kLargestExponent + 1e-12, "exponent");
  require_at_least(settings.stiffness, 0.0, "stiffness");
}

RateResponse ViscousLaw::rate_by(double force) const noexcept {
  const double part = std::abs(force) / coefficient_;
  return {.rate = std::copysign(std::pow(part, 1.0 / exponent_), force),
          .slope = std::pow(part, 1.0 / exponent_ - 1.0) / (exponent_ * coefficient_)};
}

LawResponse ViscousLaw::without_brace(double velocity) const noexcept {
  // Where the slope is infinite, a very large one.
  constexpr double kAtRest = 1e-12;
  const double speed = std::abs(velocity);
  const double slope =
      exponent_ * coefficient_ * std::pow(std::max(speed, kAtRest), exponent_ - 1.0);
  return {.force = std::copysign(coefficient_ * std::pow(speed, exponent_), velocity),
          .stiffness = 0.0,
          .damping = slope};
}

/// f + k·Δt·rate(f) = elastic: rises with f, and has its root between zero and `elastic`.
double ViscousLaw::braced_force(double elastic) const noexcept {
  double low = std::min(elastic, 0.0);
  double high = std::max(elastic, 0.0);
  const double factor = stiffness_ * time_step_;
  double force = force_ > low && force_ < high ? force_ : elastic;
  for (int i = 0; i < kMostCorrections; ++i) {
    const RateResponse at = rate_by(force);
    const double left = force + factor * at.rate - elastic;
    (left > 0.0 ? high : low) = force;
    double next = force - left / (1.0 + factor * at.slope);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - force) <= 1e-15 * std::abs(force)) return next;
    force = next;
  }
  return force;
}

LawResponse ViscousLaw::trial(double displacement, double velocity) noexcept {
  if (stiffness_ == 0.0) return without_brace(velocity);
  trial_displacement_ = displacement;
  trial_force_ = 0.0;
  if (!std::isfinite(time_step_)) return {};
  const double elastic = force_ + stiffness_ * (displacement - displacement_);
  trial_force_ = std::isfinite(elastic) ? braced_force(elastic) : elastic;
  const double slope = rate_by(trial_force_).slope;
  return {.force = trial_force_,
          .stiffness = stiffness_ / (1.0 + stiffness_ * time_step_ * slope),
          .damping = 0.0};
}

void ViscousLaw::commit() noexcept {
  displacement_ = trial_displacement_;
  force_ = trial_force_;
}

void ViscousLaw::reset() noexcept {
  displacement_ = force_ = trial_displacement_ = trial_force_ = 0.0;
}

template <typename Self, typename Archive>
void ViscousLaw::visit(Self& self, Archive& archive) {
  archive(self.displacement_, self.force_);
}

void ViscousLaw::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void ViscousLaw::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::materials
