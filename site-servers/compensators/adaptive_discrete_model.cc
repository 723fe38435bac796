#include "site-servers/compensators/adaptive_discrete_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/setting_checks.h"

namespace trestle::compensators {
namespace {

constexpr int kMostCommandTaps = 8;
constexpr int kMostTargetTaps = 16;

/// Into the part of `taps` from `begin` up to `end`.
void shift_part(Eigen::VectorXd& taps, Eigen::Index begin, Eigen::Index end,
                double newest) noexcept {
  if (begin == end) return;
  std::shift_right(taps.data() + begin, taps.data() + end, 1);
  taps[begin] = newest;
}

void check_model_settings(const AdaptiveDiscreteModelSettings& settings) {
  require(settings.command_taps >= 0 && settings.command_taps <= kMostCommandTaps,
          "command_taps", settings.command_taps,
          "must be from 0 to " + std::to_string(kMostCommandTaps));
  require(settings.target_taps >= 1 && settings.target_taps <= kMostTargetTaps,
          "target_taps", settings.target_taps,
          "must be from 1 to " + std::to_string(kMostTargetTaps));
  require(settings.forgetting > 0.0 && settings.forgetting <= 1.0, "forgetting",
          settings.forgetting, "must be above zero and at most one");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
}

}  // namespace

AdaptiveDiscreteModel::AdaptiveDiscreteModel(int actuators,
                                             const AdaptiveDiscreteModelSettings& settings)
    : command_taps_(settings.command_taps), tick_(settings.tick) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check_model_settings(settings);
  const int taps = settings.command_taps + settings.target_taps;
  for (const RlsInitialState& start : settings.start.checked(
           actuators, settings.command_taps, settings.target_taps, settings.tick))
    channels_.push_back(
        {.recursion = math::RecursiveLeastSquares(
             start.coefficients, start.covariance, settings.forgetting,
             settings.start.initial_covariance * Eigen::MatrixXd::Identity(taps, taps)),
         .measured_filter = make_low_pass(settings.filter, settings.tick),
         .command_filter = make_low_pass(settings.filter, settings.tick),
         .gate = ExcitationGate(settings.excitation_floor, settings.tick),
         .row = Eigen::VectorXd::Zero(taps),
         .series = Eigen::VectorXd::Zero(taps)});
}

ActuatorVector AdaptiveDiscreteModel::command(const ActuatorMotion& target,
                                              const ActuatorVector& measured,
                                              const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    const Eigen::Index taps = channel.series.size();
    const double x = target.displacement[actuator];
    if (started_) {
      learn(channel, last_command[actuator]);
    } else {  // at rest where the rig stands
      channel.series.head(command_taps_).setConstant(last_command[actuator]);
      channel.series.tail(taps - command_taps_).setConstant(x);
    }
    const double filtered = channel.measured_filter.advance(measured[actuator]);
    shift_part(channel.row, command_taps_, taps, filtered);
    channel.excited = channel.gate.pass(filtered);
    shift_part(channel.series, 0, command_taps_, last_command[actuator]);
    shift_part(channel.series, command_taps_, taps, x);
    command[actuator] = channel.recursion.coefficients().dot(channel.series);
  }
  started_ = true;
  return command;
}

/// Pairs the last command with what had been measured up to then.
void AdaptiveDiscreteModel::learn(Channel& channel, double last_command) const noexcept {
  const double command = channel.command_filter.advance(last_command);
  if (channel.excited) {
    const double error = command - channel.recursion.coefficients().dot(channel.row);
    channel.recursion.gain(channel.row);
    channel.recursion.correct(error);
  }
  shift_part(channel.row, 0, command_taps_, command);
}

void AdaptiveDiscreteModel::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.recursion.reset();
    channel.measured_filter.reset();
    channel.command_filter.reset();
    channel.gate.reset();
    channel.row.setZero();
    channel.series.setZero();
    channel.excited = false;
  }
  started_ = false;
}

std::optional<LinearCompensatorModel> AdaptiveDiscreteModel::linearise(int actuator) const {
  const Eigen::VectorXd& taps = coefficients(actuator);
  return LinearCompensatorModel{.targets = {taps.begin() + command_taps_, taps.end()},
                                .commands = {taps.begin(), taps.begin() + command_taps_}};
}

std::optional<TransferEstimate> AdaptiveDiscreteModel::estimate(
    int actuator) const noexcept {
  const Eigen::VectorXd& taps = coefficients(actuator);
  const auto commands = static_cast<std::size_t>(command_taps_);
  const auto targets = static_cast<std::size_t>(taps.size()) - commands;
  return estimate_from_inverse({taps.data() + commands, targets}, 0.0,
                               {taps.data(), commands}, tick_);
}

Channels AdaptiveDiscreteModel::coefficient_channels() const {
  Channels channels;
  for (Eigen::Index i = 0; i < coefficients(0).size(); ++i)
    channels.push_back({"theta" + std::to_string(i), ""});
  return channels;
}

void AdaptiveDiscreteModel::copy_coefficients(int actuator,
                                              std::span<double> into) const noexcept {
  std::copy_n(coefficients(actuator).begin(), into.size(), into.begin());
}

template <typename Self, typename Archive>
void AdaptiveDiscreteModel::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_) {
    archive(channel.recursion, channel.measured_filter, channel.command_filter,
            channel.gate, channel.row, channel.series, channel.excited);
  }
  archive(self.started_);
}

void AdaptiveDiscreteModel::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void AdaptiveDiscreteModel::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
