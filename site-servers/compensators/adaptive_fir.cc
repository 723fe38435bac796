#include "site-servers/compensators/adaptive_fir.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/setting_checks.h"

namespace trestle::compensators {
namespace {

constexpr int kMostTaps = 16;
constexpr double kSingular = 0.1;

void shift_in(Eigen::VectorXd& taps, double newest) noexcept {
  std::shift_right(taps.data(), taps.data() + taps.size(), 1);
  taps[0] = newest;
}

}  // namespace

AdaptiveFir::AdaptiveFir(int actuators, const AdaptiveFirSettings& settings)
    : tick_(settings.tick) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  require(settings.taps >= 1 && settings.taps <= kMostTaps, "taps", settings.taps,
          "must be from 1 to " + std::to_string(kMostTaps));
  require(settings.forgetting > 0.0 && settings.forgetting <= 1.0, "forgetting",
          settings.forgetting, "must be above zero and at most one");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
  for (const RlsInitialState& start :
       settings.start.checked(actuators, 0, settings.taps, settings.tick))
    channels_.push_back(
        {.recursion = math::RecursiveLeastSquares(start.coefficients, start.covariance,
                                                  settings.forgetting, start.covariance),
         .measured_filter = make_low_pass(settings.filter, settings.tick),
         .command_filter = make_low_pass(settings.filter, settings.tick),
         .gate = ExcitationGate(settings.excitation_floor, settings.tick),
         .measured = Eigen::VectorXd::Zero(settings.taps),
         .target = Eigen::VectorXd::Zero(settings.taps)});
}

ActuatorVector AdaptiveFir::command(const ActuatorMotion& target,
                                    const ActuatorVector& measured,
                                    const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  ActuatorVector result(measured.size());
  for (Eigen::Index actuator = 0; actuator < result.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    const double x = target.displacement[actuator];
    if (started_)
      channel.command_filter.advance(last_command[actuator]);
    else
      channel.target.setConstant(x);
    shift_in(channel.measured, channel.measured_filter.advance(measured[actuator]));
    shift_in(channel.target, x);
    result[actuator] = command(channel);
  }
  started_ = true;
  return result;
}

double AdaptiveFir::command(Channel& channel) const noexcept {
  math::RecursiveLeastSquares& recursion = channel.recursion;
  const double planned = recursion.coefficients().dot(channel.target);
  if (!channel.gate.pass(channel.measured[0])) return planned;

  const double reach = recursion.gain(channel.measured).dot(channel.target);
  const double direct = channel.command_filter.feedthrough();
  const double loop = 1.0 - direct * reach;
  if (!(std::abs(loop) >= kSingular)) return planned;
  const double known =
      channel.command_filter.preview(0.0) - recursion.coefficients().dot(channel.measured);
  const double command = (planned + reach * known) / loop;
  recursion.correct(direct * command + known);
  return command;
}

void AdaptiveFir::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.recursion.reset();
    channel.measured_filter.reset();
    channel.command_filter.reset();
    channel.gate.reset();
    channel.measured.setZero();
    channel.target.setZero();
  }
  started_ = false;
}

std::optional<LinearCompensatorModel> AdaptiveFir::linearise(int actuator) const {
  const Eigen::VectorXd& taps = coefficients(actuator);
  return LinearCompensatorModel{.targets = {taps.begin(), taps.end()}};
}

std::optional<TransferEstimate> AdaptiveFir::estimate(int actuator) const noexcept {
  const Eigen::VectorXd& taps = coefficients(actuator);
  return estimate_from_inverse({taps.data(), static_cast<std::size_t>(taps.size())}, 0.0,
                               {}, tick_);
}

Channels AdaptiveFir::coefficient_channels() const {
  Channels channels;
  for (Eigen::Index i = 0; i < coefficients(0).size(); ++i)
    channels.push_back({"theta" + std::to_string(i), ""});
  return channels;
}

void AdaptiveFir::copy_coefficients(int actuator, std::span<double> into) const noexcept {
  std::copy_n(coefficients(actuator).begin(), into.size(), into.begin());
}

template <typename Self, typename Archive>
void AdaptiveFir::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_) {
    archive(channel.recursion, channel.measured_filter, channel.command_filter,
            channel.gate, channel.measured, channel.target);
  }
  archive(self.started_);
}

void AdaptiveFir::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void AdaptiveFir::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
