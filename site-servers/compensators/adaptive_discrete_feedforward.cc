#include "site-servers/compensators/adaptive_discrete_feedforward.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

#include "core/base/setting_checks.h"

namespace trestle::compensators {
namespace {

constexpr int kTapsOfTarget = 8;
constexpr int kMostUnknowns = 64;
constexpr double kLongestSpacing = 1000.0;  // [ticks]
constexpr double kFewestTicks = 10.0;       // [ticks]

/// Binomial coefficients of a small n.
double choose(int n, int k) noexcept {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

void check_feedforward_settings(int actuators,
                                const AdaptiveDiscreteFeedforwardSettings& settings) {
  require(settings.taps >= 1 && settings.taps <= kTapsOfTarget, "taps", settings.taps,
          "must be from 1 to " + std::to_string(kTapsOfTarget));
  const int sources = settings.own_target_only ? 1 : actuators;
  require(settings.taps * sources <= kMostUnknowns, "taps", settings.taps,
          "makes " + std::to_string(settings.taps * sources) +
              " coefficients for each of " + std::to_string(actuators) +
              " actuators, more than " + std::to_string(kMostUnknowns) +
              "; take fewer, or own_target_only");
  require(settings.spacing > 0.0 && settings.spacing <= kLongestSpacing * settings.tick,
          "spacing", settings.spacing,
          "must be above zero, and at most " +
              std::to_string(kLongestSpacing * settings.tick) + " s");
  require(settings.memory >= kFewestTicks * settings.tick && std::isfinite(settings.memory),
          "memory", settings.memory,
          "must be at least ten control ticks, " +
              std::to_string(kFewestTicks * settings.tick) + " s");
  require(settings.residual > 0.0 && std::isfinite(settings.residual), "residual",
          settings.residual, "must be above zero");
  require(settings.spread > 0.0 && std::isfinite(settings.spread), "spread",
          settings.spread, "must be above zero");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
}

/// The own actuator and the first change places in a row. It is its own inverse.
int position(int actuator, int of) noexcept {
  if (of == 0) return actuator;
  return of == actuator ? 0 : of;
}

}  // namespace

AdaptiveDiscreteFeedforward::AdaptiveDiscreteFeedforward(
    int actuators, const AdaptiveDiscreteFeedforwardSettings& settings)
    : tick_(settings.tick),
      actuators_(actuators),
      taps_(settings.taps),
      spacing_(1),
      sources_(settings.own_target_only ? 1 : actuators),
      residual_(settings.residual) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check_feedforward_settings(actuators, settings);
  spacing_ = std::max(1, static_cast<int>(std::lround(settings.spacing / tick_)));
  settings.initial_delay.checked(actuators, "initial_delay");
  for (int i = 0; i < actuators; ++i) channels_.push_back(make_channel(settings, i));
}

AdaptiveDiscreteFeedforward::Channel AdaptiveDiscreteFeedforward::make_channel(
    const AdaptiveDiscreteFeedforwardSettings& settings, int actuator) const {
  const double tau = settings.initial_delay[actuator];
  require(tau >= 0.0 && std::isfinite(tau), "initial_delay", tau, "must not be below zero");
  require(tau == 0.0 || taps_ > 1, "initial_delay", tau,
          "needs two taps at least; give taps, or an initial_delay of zero");
  const double spacing = spacing_ * tick_;
  const double unit = std::max(tau, spacing);
  const Eigen::Index unknowns = static_cast<Eigen::Index>(taps_) * sources_;
  Eigen::VectorXd first = Eigen::VectorXd::Zero(unknowns);
  first[0] = 1.0;
  if (taps_ > 1) first[1] = tau / unit;
  const Eigen::MatrixXd covariance =
      settings.spread * settings.spread * Eigen::MatrixXd::Identity(unknowns, unknowns);
  const double forgetting = std::exp(-tick_ / settings.memory);
  const int oldest = (taps_ - 1) * spacing_;
  return {
      .ratio = unit / spacing,
      .measured_filter = make_low_pass(settings.filter, tick_),
      .command_filter = make_low_pass(settings.filter, tick_),
      .gate = ExcitationGate(settings.excitation_floor, tick_),
      .recursion = math::RecursiveLeastSquares(first, covariance, forgetting, covariance),
      .measured = math::DelayLine(oldest),
      .target = math::DelayLine(oldest),
      .row = Eigen::VectorXd::Zero(unknowns)};
}

ActuatorVector AdaptiveDiscreteFeedforward::command(
    const ActuatorMotion& target, const ActuatorVector& measured,
    const ActuatorVector& last_command) noexcept {
  assert(measured.size() == actuators_ && last_command.size() == actuators_);
  for (int i = 0; i < actuators_; ++i) {
    Channel& channel = channels_[static_cast<std::size_t>(i)];
    if (started_) {
      learn(channel, i, last_command[i]);
    } else {  // at rest where the rig stands
      channel.measured_filter.settle(measured[i]);
      channel.command_filter.settle(last_command[i]);
      channel.measured.fill(measured[i]);
      channel.target.fill(target.displacement[i]);
    }
  }
  for (int i = 0; i < actuators_; ++i) {
    Channel& channel = channels_[static_cast<std::size_t>(i)];
    const double filtered = channel.measured_filter.advance(measured[i]);
    channel.excited = channel.gate.pass(filtered);
    channel.measured.push(filtered);
    channel.target.push(target.displacement[i]);
  }
  ActuatorVector command(measured.size());
  for (int i = 0; i < actuators_; ++i) {
    Channel& channel = channels_[static_cast<std::size_t>(i)];
    fill_row(i, channel.ratio, true, channel.row);
    command[i] = channel.recursion.coefficients().dot(channel.row);
  }
  started_ = true;
  return command;
}

/// Pairs the last command with what had been measured up to then.
void AdaptiveDiscreteFeedforward::learn(Channel& channel, int actuator,
                                        double last_command) noexcept {
  const double command = channel.command_filter.advance(last_command);
  if (!channel.excited) return;
  fill_row(actuator, channel.ratio, false, channel.row);
  channel.row /= residual_;
  if (!channel.row.allFinite() || !std::isfinite(command)) return;
  const double error =
      command / residual_ - channel.recursion.coefficients().dot(channel.row);
  channel.recursion.gain(channel.row);
  channel.recursion.correct(error);
}

void AdaptiveDiscreteFeedforward::fill_row(int actuator, double ratio, bool of_targets,
                                           Eigen::VectorXd& row) const noexcept {
  Eigen::Index at = 0;
  for (int source = 0; source < sources_; ++source) {
    const int of = position(actuator, source);
    const Channel& other = channels_[static_cast<std::size_t>(of)];
    const math::DelayLine& past = of_targets ? other.target : other.measured;
    std::array<double, kTapsOfTarget> differences{};
    for (int j = 0; j < taps_; ++j)
      differences[static_cast<std::size_t>(j)] = past[j * spacing_];
    double unit = 1.0;
    for (int j = 0; j < taps_; ++j, unit *= ratio) {
      row[at++] = unit * differences[0];
      for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(taps_ - j); ++i)
        differences[i] -= differences[i + 1];
    }
  }
}

double AdaptiveDiscreteFeedforward::weight(int actuator, int of, int tap) const noexcept {
  if (sources_ == 1 && of != actuator) return 0.0;
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  const int source = position(actuator, of);
  const Eigen::Index first = static_cast<Eigen::Index>(source) * taps_;
  double value = 0.0;
  double unit = tap % 2 == 0 ? 1.0 : -1.0;
  for (int j = 0; j < taps_; ++j, unit *= channel.ratio)
    if (j >= tap)
      value += unit * choose(j, tap) * channel.recursion.coefficients()[first + j];
  return value;
}

void AdaptiveDiscreteFeedforward::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.measured_filter.reset();
    channel.command_filter.reset();
    channel.gate.reset();
    channel.recursion.reset();
    channel.measured.fill(0.0);
    channel.target.fill(0.0);
    channel.row.setZero();
    channel.excited = false;
  }
  started_ = false;
}

std::optional<LinearCompensatorModel> AdaptiveDiscreteFeedforward::linearise(
    int actuator) const {
  for (int of = 0; of < actuators_; ++of)
    for (int j = 0; j < taps_; ++j)
      if (of != actuator && weight(actuator, of, j) != 0.0) return std::nullopt;
  LinearCompensatorModel model;
  model.targets.assign(static_cast<std::size_t>((taps_ - 1) * spacing_) + 1, 0.0);
  for (int j = 0; j < taps_; ++j)
    model.targets[static_cast<std::size_t>(j * spacing_)] = weight(actuator, actuator, j);
  return model;
}

std::optional<TransferEstimate> AdaptiveDiscreteFeedforward::estimate(
    int actuator) const noexcept {
  std::array<double, kTapsOfTarget> own{};
  for (int j = 0; j < taps_; ++j)
    own[static_cast<std::size_t>(j)] = weight(actuator, actuator, j);
  return estimate_from_inverse({own.data(), static_cast<std::size_t>(taps_)}, 0.0, {},
                               spacing_ * tick_);
}

Channels AdaptiveDiscreteFeedforward::coefficient_channels() const {
  Channels channels;
  if (sources_ == 1) {
    for (int j = 0; j < taps_; ++j) channels.push_back({"theta" + std::to_string(j), ""});
    return channels;
  }
  for (int of = 0; of < actuators_; ++of)
    for (int j = 0; j < taps_; ++j)
      channels.push_back({"theta" + std::to_string(of + 1) + "_" + std::to_string(j), ""});
  return channels;
}

void AdaptiveDiscreteFeedforward::copy_coefficients(int actuator,
                                                    std::span<double> into) const noexcept {
  for (std::size_t i = 0; i < into.size(); ++i) {
    const int index = static_cast<int>(i);
    const int of = sources_ == 1 ? actuator : index / taps_;
    into[i] = weight(actuator, of, index % taps_);
  }
}

template <typename Self, typename Archive>
void AdaptiveDiscreteFeedforward::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_)
    archive(channel.measured_filter, channel.command_filter, channel.gate,
            channel.recursion, channel.measured, channel.target, channel.excited);
  archive(self.started_);
}

void AdaptiveDiscreteFeedforward::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void AdaptiveDiscreteFeedforward::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
