#include "site-servers/compensators/polynomial_extrapolation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/base/setting_rule.h"

namespace trestle::compensators {
namespace {

constexpr int kHighestDegree = 4;
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

}  // namespace

PolynomialExtrapolation::PolynomialExtrapolation(int actuators,
                                                 const PolynomialSettings& settings) {
  assert(actuators > 0 && actuators <= kMaxActuators);
  require(settings.order >= 1 && settings.order <= kHighestDegree, "order", settings.order,
          "must be from 1 to " + std::to_string(kHighestDegree));
  settings.delay.checked(actuators, "delay");
  for (int i = 0; i < actuators; ++i) {
    const double delay = settings.delay[i];
    require(delay >= 0.0 && delay <= kLongestDelay * settings.tick, "delay", delay,
            "must be from zero to " + std::to_string(kLongestDelay * settings.tick) +
                " s (10 000 control ticks)");
    const double ticks = delay / settings.tick;
    const int spacing = std::max(1, static_cast<int>(std::round(ticks)));
    channels_.push_back({.spacing = spacing,
                         .coefficients = weights(settings.order, ticks / spacing),
                         .targets = math::DelayLine(settings.order * spacing)});
  }
}

ActuatorVector PolynomialExtrapolation::command(
    const ActuatorMotion& target, const ActuatorVector& /*measured*/,
    const ActuatorVector& /*last_command*/) noexcept {
  assert(target.displacement.size() == static_cast<Eigen::Index>(channels_.size()));
  ActuatorVector command = target.displacement;
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    auto& [spacing, coefficients, targets] = channels_[static_cast<std::size_t>(actuator)];
    const double now = target.displacement[actuator];
    if (!started_) targets.fill(now);
    targets.push(now);
    // Differences to the newest: a constant target is commanded to the bit.
    for (std::size_t i = 1; i < coefficients.size(); ++i)
      command[actuator] += coefficients[i] * (targets[static_cast<int>(i) * spacing] - now);
  }
  started_ = true;
  return command;
}

void PolynomialExtrapolation::reset() noexcept {
  started_ = false;
}

std::optional<LinearCompensatorModel> PolynomialExtrapolation::linearise(
    int actuator) const {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  const std::size_t points = channel.coefficients.size();
  const auto spacing = static_cast<std::size_t>(channel.spacing);
  LinearCompensatorModel form{.targets =
                                  std::vector<double>((points - 1) * spacing + 1, 0.0)};
  form.targets[0] = 1.0;
  for (std::size_t i = 1; i < points; ++i) {
    form.targets[i * spacing] += channel.coefficients[i];
    form.targets[0] -= channel.coefficients[i];
  }
  return form;
}

template <typename Self, typename Archive>
void PolynomialExtrapolation::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_) {
    archive(channel.targets);
  }
  archive(self.started_);
}

void PolynomialExtrapolation::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void PolynomialExtrapolation::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
