#include "site-servers/control/polynomial_extrapolation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/types/setting_error.h"

namespace trestle {
namespace {

constexpr int kHighestOrder = 4;
// Bounds the memory; no servo-hydraulic rig is a thousand ticks late.
constexpr double kLongestDelay = 10'000.0;  // [ticks]

/// Lagrange's weights of samples at 0, −1, −2, ... for the value at `ahead`.
std::vector<double> weights(int order, double ahead) {
  std::vector<double> result;
  for (int i = 0; i <= order; ++i) {
    double weight = 1.0;
    for (int j = 0; j <= order; ++j)
      if (j != i) weight *= (ahead + j) / (j - i);
    result.push_back(weight);
  }
  return result;
}

const PolynomialSettings& checked(const PolynomialSettings& settings) {
  if (settings.order < 1 || settings.order > kHighestOrder)
    throw SettingError("order", "order is " + std::to_string(settings.order) +
                                    "; must be from 1 to " + std::to_string(kHighestOrder));
  if (!(settings.delay >= 0.0 && settings.delay <= kLongestDelay * settings.tick))
    throw SettingError("delay", "delay is " + std::to_string(settings.delay) +
                                    " s; must be from zero to " +
                                    std::to_string(kLongestDelay * settings.tick) +
                                    " s (10 000 control ticks)");
  return settings;
}

}  // namespace

PolynomialExtrapolation::PolynomialExtrapolation(int actuators,
                                                 const PolynomialSettings& settings)
    : spacing_(static_cast<std::size_t>(
          std::max(1.0, std::round(checked(settings).delay / settings.tick)))),
      coefficients_(weights(
          settings.order, settings.delay / settings.tick / static_cast<double>(spacing_))),
      targets_(static_cast<std::size_t>(settings.order) * spacing_ + 1,
               ActuatorVector::Zero(actuators)) {
  assert(actuators > 0 && actuators <= kMaxActuators);
}

ActuatorVector PolynomialExtrapolation::command(
    const Stroke& target, const ActuatorVector& /*measured*/,
    const ActuatorVector& /*last_command*/) noexcept {
  assert(target.displacement.size() == targets_.front().size());
  if (!started_) {
    for (ActuatorVector& past : targets_) past = target.displacement;
    started_ = true;
  }
  newest_ = newest_ + 1 < targets_.size() ? newest_ + 1 : 0;
  targets_[newest_] = target.displacement;

  // Differences to the newest: a target that stands still is commanded to the bit.
  ActuatorVector command = target.displacement;
  for (std::size_t i = 1; i < coefficients_.size(); ++i) {
    const std::size_t age = i * spacing_;
    const std::size_t at = newest_ >= age ? newest_ - age : newest_ + targets_.size() - age;
    command += coefficients_[i] * (targets_[at] - target.displacement);
  }
  return command;
}

void PolynomialExtrapolation::reset() noexcept {
  started_ = false;
}

void PolynomialExtrapolation::save(SnapshotWriter& snapshot) const {
  for (const ActuatorVector& target : targets_) snapshot.add(target);
  snapshot.add(static_cast<double>(newest_));
  snapshot.add(started_ ? 1.0 : 0.0);
}

void PolynomialExtrapolation::restore(SnapshotReader& snapshot) {
  for (ActuatorVector& target : targets_) snapshot.fill(target);
  newest_ = static_cast<std::size_t>(snapshot.next());
  started_ = snapshot.next() != 0.0;
}

}  // namespace trestle
