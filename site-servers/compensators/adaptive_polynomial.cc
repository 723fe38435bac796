#include "site-servers/compensators/adaptive_polynomial.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/setting_checks.h"
#include "core/math/dense_solve.h"

namespace trestle::compensators {
namespace {

constexpr int kHighestOrder = 4;
constexpr int kPointsPerOrder = 4;
constexpr int kMostPoints = 256;
constexpr double kMemory = 1.0;             // of mean squares [s]
constexpr double kLongestDelay = 10'000.0;  // [ticks]; bounds the memory
constexpr double kDelays = 3.0;             // the longest delay against the first
constexpr double kLeastTicks = 20.0;        // of the longest delay
constexpr double kMostError = 0.5;          // of an amplitude, at one peak
constexpr double kMostScale = 2.0;

void check_polynomial_settings(const AdaptivePolynomialSettings& settings) {
  require(settings.order >= 1 && settings.order <= kHighestOrder, "order", settings.order,
          "must be from 1 to " + std::to_string(kHighestOrder));
  require(settings.points == 0 ||
              (settings.points > settings.order && settings.points <= kMostPoints),
          "points", settings.points,
          "must be from " + std::to_string(settings.order + 1) + " to " +
              std::to_string(kMostPoints));
  require(settings.delay_gain >= 0.0 && settings.delay_gain * settings.tick <= 1.0,
          "delay_gain", settings.delay_gain,
          "must be from zero to one per control tick, " +
              std::to_string(1.0 / settings.tick) + " /s");
  require(settings.amplitude_gain >= 0.0 && settings.amplitude_gain <= 1.0,
          "amplitude_gain", settings.amplitude_gain, "must be from zero to one");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
}

/// Coefficients of powers of t/(spacing·δt) from the points, the newest first.
Eigen::MatrixXd fit_of(int order, int points) {
  Eigen::MatrixXd powers(points, order + 1);
  for (int i = 0; i < points; ++i)
    for (int j = 0; j <= order; ++j) powers(i, j) = std::pow(-static_cast<double>(i), j);
  return math::least_squares(powers, Eigen::MatrixXd::Identity(points, points));
}

}  // namespace

AdaptivePolynomial::AdaptivePolynomial(int actuators,
                                       const AdaptivePolynomialSettings& settings)
    : tick_(settings.tick),
      delay_gain_(settings.delay_gain),
      amplitude_gain_(settings.amplitude_gain),
      power_floor_(settings.excitation_floor * settings.excitation_floor) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check_polynomial_settings(settings);
  settings.delay.checked(actuators, "delay");
  for (int i = 0; i < actuators; ++i)
    channels_.push_back(make_channel(settings, settings.delay[i]));
  reset();
}

AdaptivePolynomial::Channel AdaptivePolynomial::make_channel(
    const AdaptivePolynomialSettings& settings, double delay) const {
  const double most = kLongestDelay * tick_;
  require(delay >= 0.0 && delay <= most, "delay", delay,
          "must be from zero to " + std::to_string(most) + " s (10 000 control ticks)");
  const double longest = settings.longest_delay != 0.0
                             ? settings.longest_delay
                             : std::max(kDelays * delay, kLeastTicks * tick_);
  require(longest >= delay && longest <= kDelays * most, "longest_delay", longest,
          "must be at least the delay at the start, " + std::to_string(delay) +
              " s, and at most " + std::to_string(kDelays * most) + " s");
  const int points =
      settings.points > 0 ? settings.points : kPointsPerOrder * settings.order;
  const double span = settings.order * delay / tick_;
  const int spacing = std::max(1, static_cast<int>(std::round(span / (points - 1))));
  return {.first_delay = delay,
          .longest_delay = longest,
          .spacing = spacing,
          .fit = fit_of(settings.order, points),
          .targets = math::DelayLine((points - 1) * spacing)};
}

ActuatorVector AdaptivePolynomial::command(
    const ActuatorMotion& target, const ActuatorVector& measured,
    const ActuatorVector& /*last_command*/) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    const Moment now{target.displacement[actuator], target.velocity[actuator]};
    if (started_)
      adapt(channel, channel.last.displacement - measured[actuator]);
    else
      channel.targets.fill(now.displacement);
    channel.before = channel.last;
    channel.last = now;
    channel.targets.push(now.displacement);
    command[actuator] = channel.scale * ahead(channel);
  }
  started_ = true;
  return command;
}

/// @param error  of the measurement that answers the last target
void AdaptivePolynomial::adapt(Channel& channel, double error) const noexcept {
  const auto [x, v] = channel.last;
  const double fresh = std::min(1.0, tick_ / kMemory);
  channel.displacement_power += fresh * (x * x - channel.displacement_power);
  channel.velocity_power += fresh * (v * v - channel.velocity_power);
  if (!(channel.displacement_power > power_floor_)) return;

  if (v != 0.0 && v * v > channel.velocity_power) {
    const double late =
        std::clamp(error / v, -channel.longest_delay, channel.longest_delay);
    channel.delay =
        std::clamp(channel.delay + delay_gain_ * tick_ * late, 0.0, channel.longest_delay);
  }
  const bool turned = v * channel.before.velocity < 0.0;
  if (turned && x * x > channel.displacement_power) {
    const double small = std::clamp(error / x, -kMostError, kMostError);
    channel.scale = std::clamp(channel.scale * (1.0 + amplitude_gain_ * small),
                               1.0 / kMostScale, kMostScale);
  }
}

/// Weight of a point of the fit in the polynomial one delay after the newest.
double AdaptivePolynomial::weight_ahead(const Channel& channel,
                                        Eigen::Index point) const noexcept {
  const double t = channel.delay / (channel.spacing * tick_);
  double weight = 0.0;
  for (Eigen::Index j = channel.fit.rows() - 1; j >= 0; --j)
    weight = weight * t + channel.fit(j, point);
  return weight;
}

/// The polynomial one delay after the newest target.
double AdaptivePolynomial::ahead(const Channel& channel) const noexcept {
  const double newest = channel.targets[0];
  // Differences to the newest: a constant target is commanded to the bit.
  double result = newest;
  for (Eigen::Index point = 1; point < channel.fit.cols(); ++point)
    result += weight_ahead(channel, point) *
              (channel.targets[static_cast<int>(point) * channel.spacing] - newest);
  return result;
}

void AdaptivePolynomial::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.displacement_power = 0.0;
    channel.velocity_power = 0.0;
    channel.last = {};
    channel.before = {};
    channel.delay = channel.first_delay;
    channel.scale = 1.0;
  }
  started_ = false;
}

std::optional<LinearCompensatorModel> AdaptivePolynomial::linearise(int actuator) const {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  const auto points = static_cast<std::size_t>(channel.fit.cols());
  const auto spacing = static_cast<std::size_t>(channel.spacing);
  LinearCompensatorModel form{.targets =
                                  std::vector<double>((points - 1) * spacing + 1, 0.0)};
  form.targets[0] = channel.scale;
  for (std::size_t i = 1; i < points; ++i) {
    const double weight =
        channel.scale * weight_ahead(channel, static_cast<Eigen::Index>(i));
    form.targets[i * spacing] += weight;
    form.targets[0] -= weight;
  }
  return form;
}

std::optional<TransferEstimate> AdaptivePolynomial::estimate(int actuator) const noexcept {
  return TransferEstimate{delay(actuator), amplitude(actuator)};
}

Channels AdaptivePolynomial::coefficient_channels() const {
  return {{"delay_s", "s"}, {"scale", ""}};
}

void AdaptivePolynomial::copy_coefficients(int actuator,
                                           std::span<double> into) const noexcept {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  into[0] = channel.delay;
  into[1] = channel.scale;
}

template <typename Self, typename Archive>
void AdaptivePolynomial::visit(Self& self, Archive& archive) {
  for (auto& it : self.channels_) {
    archive(it.targets, it.displacement_power, it.velocity_power, it.last.displacement,
            it.last.velocity, it.before.displacement, it.before.velocity, it.delay,
            it.scale);
  }
  archive(self.started_);
}

void AdaptivePolynomial::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void AdaptivePolynomial::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
