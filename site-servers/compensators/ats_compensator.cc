#include "site-servers/compensators/ats_compensator.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

#include "core/base/setting_checks.h"
#include "site-servers/compensators/series_coefficients.h"

namespace trestle::compensators {
namespace {

// Taylor series of a pure delay, in units of the expected delay.
const Eigen::Vector3d kPureDelay{1.0, 1.0, 0.5};
// Pull towards the start, relative to the information: settles unexcited directions.
constexpr double kPull = 1e-4;
constexpr double kShortestMemory = 10.0;       // [ticks]
constexpr double kLongestExpected = 10'000.0;  // [ticks]; bounds the memory
constexpr double kPerMetre = 1e3;              // a window sums millimetres
constexpr double kNothing = 1e-100;  // mean squares below do not divide well [m²]
constexpr AtsSettings::Range kAmplitudes{0.7, 1.3};
constexpr double kMostDelays = 10.0;
constexpr double kMostSquares = 50.0;

AtsSettings::Range checked(const std::optional<AtsSettings::Range>& given,
                           AtsSettings::Range otherwise, const char* field) {
  if (!given) return otherwise;
  require(std::isfinite(given->lowest) && std::isfinite(given->highest) &&
              given->lowest < given->highest,
          field, given->lowest,
          "must be below its upper bound, " + std::to_string(given->highest));
  return *given;
}

void check_ats_settings(const AtsSettings& settings) {
  const double shortest = kShortestMemory * settings.tick;
  const std::string at_least =
      "must be at least ten control ticks, " + std::to_string(shortest) + " s";
  require(settings.memory >= shortest && std::isfinite(settings.memory), "memory",
          settings.memory, at_least);
  require(settings.window == 0.0 ||
              (settings.window >= shortest &&
               settings.window <= math::SlidingGramMatrix::kMaxWindow * settings.tick),
          "window", settings.window,
          at_least + ", and at most " +
              std::to_string(math::SlidingGramMatrix::kMaxWindow * settings.tick) + " s");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
}

}  // namespace

AtsCompensator::AtsCompensator(int actuators, const AtsSettings& settings)
    : tick_(settings.tick),
      forgetting_(1.0 - settings.tick / settings.memory),
      information_floor_(
          std::max(kNothing, settings.excitation_floor * settings.excitation_floor)),
      differences_(settings.differences) {
  assert(actuators > 0 && actuators <= kMaxActuators);
  assert(settings.tick > 0.0);
  check_ats_settings(settings);
  settings.expected_delay.checked(actuators, "expected_delay");
  for (int i = 0; i < actuators; ++i) channels_.push_back(make_channel(settings, i));
  reset();
}

AtsCompensator::Channel AtsCompensator::make_channel(const AtsSettings& settings,
                                                     int actuator) {
  const double tau = settings.expected_delay[actuator];
  require(tau > 0.0 && tau <= kLongestExpected * settings.tick, "expected_delay", tau,
          "must be above zero, and at most 10 000 control ticks, " +
              std::to_string(kLongestExpected * settings.tick) + " s");
  const AtsSettings::Range a0 = checked(settings.a0, kAmplitudes, "a0");
  const AtsSettings::Range a1 = checked(settings.a1, {0.0, kMostDelays * tau}, "a1");
  const AtsSettings::Range a2 = checked(settings.a2, {0.0, kMostSquares * tau * tau}, "a2");
  const int base = std::max(1, static_cast<int>(std::round(0.5 * tau / settings.tick)));
  Channel channel{
      .expected_delay = tau,
      .base = base,
      .lowest = {a0.lowest, a1.lowest / tau, a2.lowest / (tau * tau)},
      .highest = {a0.highest, a1.highest / tau, a2.highest / (tau * tau)},
      .measured_filter = make_low_pass(settings.filter, settings.tick),
      .command_filter = make_low_pass(settings.filter, settings.tick),
      .measured = math::DelayLine(2 * base),
      .commanded = math::DelayLine(base),
      .target = math::DelayLine(2),
      .window = {},
  };
  if (settings.window > 0.0)
    channel.window.emplace_back(
        4, static_cast<int>(std::round(settings.window / settings.tick)));
  return channel;
}

ActuatorVector AtsCompensator::command(const ActuatorMotion& target,
                                       const ActuatorVector& measured,
                                       const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  assert(last_command.size() == measured.size());
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    if (!started_) {
      start(channel, measured[actuator], last_command[actuator]);
      channel.target.fill(target.displacement[actuator]);
    }
    channel.measured.push(channel.measured_filter.advance(measured[actuator]));
    channel.commanded.push(channel.command_filter.advance(last_command[actuator]));
    learn(channel);
    command[actuator] = channel.coefficients.dot(series(channel, target, actuator));
  }
  started_ = true;
  return command;
}

void AtsCompensator::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.coefficients = kPureDelay.cwiseMax(channel.lowest).cwiseMin(channel.highest);
    channel.information.setZero();
    channel.moment.setZero();
    for (math::SlidingGramMatrix& window : channel.window) window.reset();
    start(channel, 0.0, 0.0);
    channel.target.fill(0.0);
  }
  started_ = false;
}

std::optional<LinearCompensatorModel> AtsCompensator::linearise(int actuator) const {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  const double tau = channel.expected_delay;
  const Eigen::Vector3d& a = channel.coefficients;
  if (!differences_)
    return LinearCompensatorModel{
        .targets = {a[0]}, .velocity = tau * a[1], .acceleration = tau * tau * a[2]};
  const double first = tau / tick_ * a[1];
  const double second = tau * tau / (tick_ * tick_) * a[2];
  return LinearCompensatorModel{
      .targets = {a[0] + first + second, -first - 2.0 * second, second}};
}

std::optional<TransferEstimate> AtsCompensator::estimate(int actuator) const noexcept {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  const Eigen::Vector3d& a = channel.coefficients;
  return TransferEstimate{channel.expected_delay * a[1] / a[0], 1.0 / a[0]};
}

Channels AtsCompensator::coefficient_channels() const {
  return series_channels();
}

void AtsCompensator::copy_coefficients(int actuator,
                                       std::span<double> into) const noexcept {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  double unit = 1.0;
  for (std::size_t i = 0; i < into.size(); ++i, unit *= channel.expected_delay)
    into[i] = unit * channel.coefficients[static_cast<Eigen::Index>(i)];
}

template <typename Self, typename Archive>
void AtsCompensator::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_) {
    archive(channel.coefficients, channel.information, channel.moment,
            channel.measured_filter, channel.command_filter, channel.measured,
            channel.commanded, channel.target, channel.window);
  }
  archive(self.started_);
}

void AtsCompensator::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void AtsCompensator::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

double AtsCompensator::delay(int actuator) const noexcept {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  return channel.expected_delay * channel.coefficients[1] / channel.coefficients[0];
}

double AtsCompensator::amplitude(int actuator) const noexcept {
  return 1.0 / channels_[static_cast<std::size_t>(actuator)].coefficients[0];
}

/// Starts at rest at the rig's position: no motion for adaptation.
void AtsCompensator::start(Channel& channel, double measured,
                           double command) const noexcept {
  channel.measured_filter.settle(measured);
  channel.command_filter.settle(command);
  channel.measured.fill(measured);
  channel.commanded.fill(command);
}

Eigen::Vector3d AtsCompensator::series(Channel& channel, const ActuatorMotion& target,
                                       Eigen::Index actuator) const noexcept {
  const double tau = channel.expected_delay;
  const double x = target.displacement[actuator];
  if (!differences_)
    return {x, tau * target.velocity[actuator], tau * tau * target.acceleration[actuator]};
  math::DelayLine& past = channel.target;
  past.push(x);
  const double ratio = tau / tick_;
  return {x, ratio * (x - past[1]), ratio * ratio * (x - 2.0 * past[1] + past[2])};
}

void AtsCompensator::learn(Channel& channel) const noexcept {
  // Central differences need a sample on either side, so the pair that teaches is the
  // middle one.
  const int h = channel.base;
  const double newest = channel.measured[0];
  const double middle = channel.measured[h];
  const double oldest = channel.measured[2 * h];
  const double ratio = channel.expected_delay / (h * tick_);
  const Eigen::Vector3d row{middle, 0.5 * ratio * (newest - oldest),
                            ratio * ratio * (newest - 2.0 * middle + oldest)};
  const double command = channel.commanded[h];
  if (channel.window.empty()) {
    const double fresh = 1.0 - forgetting_;
    channel.information = forgetting_ * channel.information + fresh * row * row.transpose();
    channel.moment = forgetting_ * channel.moment + fresh * row * command;
  } else {
    math::SlidingGramMatrix& window = channel.window.front();
    const std::array<double, 4> sample{kPerMetre * row[0], kPerMetre * row[1],
                                       kPerMetre * row[2], kPerMetre * command};
    window.add(sample.data());
    if (!window.full()) return;
    const double scale = 1.0 / (kPerMetre * kPerMetre * window.rows());
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) channel.information(i, j) = scale * window.sum(i, j);
      channel.moment[i] = scale * window.sum(i, 3);
    }
  }
  if (channel.information(0, 0) <= information_floor_) return;

  const double pull = kPull * channel.information.trace();
  const Eigen::Matrix3d left = channel.information + pull * Eigen::Matrix3d::Identity();
  const Eigen::Vector3d right = channel.moment + pull * kPureDelay;
  channel.coefficients =
      left.ldlt().solve(right).cwiseMax(channel.lowest).cwiseMin(channel.highest);
}

}  // namespace trestle::compensators
