#include "site-servers/compensators/kalman_inverse.h"

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/setting_checks.h"

namespace trestle::compensators {
namespace {

constexpr int kMotions = 2;
constexpr int kParameters = 3;
constexpr double kSpreadOfGain = 0.1;
constexpr double kSpreadOfRates = 0.3;
constexpr double kLowestGain = 0.5;
constexpr double kHighestGain = 2.0;
constexpr double kLowestRate = 0.2;
constexpr double kHighestRate = 5.0;

/// Returns a lower triangle L with L·Lᵀ = Σ of the rows' products.
template <int kRows>
KalmanInverse::Root root_of_rows(
    const Eigen::Matrix<double, kRows, KalmanInverse::kStates>& rows) noexcept {
  const Eigen::HouseholderQR<Eigen::Matrix<double, kRows, KalmanInverse::kStates>> factors(
      rows);
  KalmanInverse::Root upper = factors.matrixQR().template topRows<KalmanInverse::kStates>();
  upper.template triangularView<Eigen::StrictlyLower>().setZero();
  return upper.transpose();
}

void check_kalman(const KalmanInverseSettings& settings) {
  require(settings.drift >= 0.0 && std::isfinite(settings.drift), "drift", settings.drift,
          "must not be below zero");
  require(settings.disturbance >= 0.0 && std::isfinite(settings.disturbance), "disturbance",
          settings.disturbance, "must not be below zero");
  require(settings.sensor_noise > 0.0 && std::isfinite(settings.sensor_noise),
          "sensor_noise", settings.sensor_noise, "must be above zero");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
  if (!settings.spread) return;
  for (const double value : *settings.spread)
    require(value > 0.0 && std::isfinite(value), "spread", value, "must be above zero");
}

}  // namespace

KalmanInverse::KalmanInverse(int actuators, const KalmanInverseSettings& settings)
    : tick_(settings.tick),
      form_(settings.form),
      drift_(settings.drift * std::sqrt(settings.tick)),
      disturbance_(settings.disturbance / std::sqrt(settings.tick)),
      sensor_noise_(settings.sensor_noise * settings.sensor_noise) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check_kalman(settings);
  settings.expected_delay.checked(actuators, "expected_delay");
  settings.initial.checked(actuators, "initial.coefficients");
  for (int i = 0; i < actuators; ++i) channels_.push_back(make_channel(settings, i));
}

KalmanInverse::Channel KalmanInverse::make_channel(const KalmanInverseSettings& settings,
                                                   int actuator) const {
  const double tau = settings.expected_delay[actuator];
  require(tau >= 0.0 && std::isfinite(tau), "expected_delay", tau, "must be above zero");
  const SeriesCoefficients given = tau > 0.0 ? SeriesCoefficients{1.0, tau, 0.5 * tau * tau}
                                             : settings.initial[actuator];
  for (const double value : given)
    require(
        value > 0.0 && std::isfinite(value), "initial.coefficients", value,
        "all three must be above zero: the model has a stiffness, a damping and a mass");
  Channel channel{.start = {given[0], given[1], given[2]},
                  .spread = {kSpreadOfGain / given[0], kSpreadOfRates, kSpreadOfRates},
                  .lowest = {kLowestGain / given[0], kLowestRate, kLowestRate},
                  .highest = {kHighestGain / given[0], kHighestRate, kHighestRate},
                  .gate = ExcitationGate(settings.excitation_floor, settings.tick)};
  const std::optional<KalmanInverseSettings::Range> ranges[kParameters]{
      settings.a0, settings.a1, settings.a2};
  const char* const names[kParameters]{"a0", "a1", "a2"};
  for (int i = 0; i < kParameters; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (settings.spread) channel.spread[i] = (*settings.spread)[at] / given[at];
    if (!ranges[i]) continue;
    require(ranges[i]->lowest > 0.0 && ranges[i]->lowest < ranges[i]->highest &&
                std::isfinite(ranges[i]->highest),
            names[i], ranges[i]->lowest,
            "must be above zero and below its upper bound, " +
                std::to_string(ranges[i]->highest));
    channel.lowest[i] = ranges[i]->lowest / given[at];
    channel.highest[i] = ranges[i]->highest / given[at];
    require(channel.lowest[i] <= 1.0 && channel.highest[i] >= 1.0, names[i], given[at],
            "is where it starts and outside its bounds; widen these, or start inside");
  }
  start(channel, 0.0);
  return channel;
}

/// At rest where the rig stands.
void KalmanInverse::start(Channel& channel, double measured) const noexcept {
  channel.mean << measured, 0.0, 1.0, 1.0, 1.0;
  channel.root.setZero();
  channel.root(0, 0) = std::sqrt(sensor_noise_);
  channel.root.diagonal().tail<kParameters>() = channel.spread;
}

ActuatorVector KalmanInverse::command(const ActuatorMotion& target,
                                      const ActuatorVector& measured,
                                      const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    if (!started_)
      start(channel, measured[actuator]);
    else if (form_ == KalmanInverseSettings::Form::kUnscented)
      predict_unscented(channel, last_command[actuator]);
    else
      predict_extended(channel, last_command[actuator]);
    if (started_) update(channel, measured[actuator]);
    channel.excited = channel.gate.pass(measured[actuator]);
    const Eigen::Vector3d a = parameters(channel, channel.mean);
    command[actuator] = a[0] * target.displacement[actuator] +
                        a[1] * target.velocity[actuator] +
                        a[2] * target.acceleration[actuator];
  }
  started_ = true;
  return command;
}

void KalmanInverse::reset() noexcept {
  for (Channel& channel : channels_) {
    start(channel, 0.0);
    channel.gate.reset();
    channel.excited = false;
  }
  started_ = false;
}

/// a₀, a₁, a₂, inside their bounds.
Eigen::Vector3d KalmanInverse::parameters(const Channel& channel,
                                          const State& state) const noexcept {
  return channel.start.cwiseProduct(
      state.tail<kParameters>().cwiseMax(channel.lowest).cwiseMin(channel.highest));
}

KalmanInverse::State KalmanInverse::propagated(const Channel& channel, const State& state,
                                               double command) const noexcept {
  State next = state;
  next.head<kMotions>() = SecondOrderTransfer(parameters(channel, state), tick_)
                              .advance(state.head<kMotions>(), command);
  return next;
}

void KalmanInverse::predict_unscented(Channel& channel, double command) const noexcept {
  static const double kReach = std::sqrt(static_cast<double>(kStates));
  Eigen::Matrix<double, kStates, 2 * kStates> points;
  for (int i = 0; i < kStates; ++i) {
    const State away = kReach * channel.root.col(i);
    points.col(i) = propagated(channel, channel.mean + away, command);
    points.col(kStates + i) = propagated(channel, channel.mean - away, command);
  }
  channel.mean = points.rowwise().mean();
  points.colwise() -= channel.mean;
  Eigen::Matrix<double, 2 * kStates + 4, kStates> rows;
  rows.topRows<2 * kStates>() = points.transpose() / std::sqrt(2.0 * kStates);
  rows.bottomRows<4>() = process_noise(channel);
  channel.root = root_of_rows(rows);
}

void KalmanInverse::predict_extended(Channel& channel, double command) const noexcept {
  const SecondOrderTransfer transfer(parameters(channel, channel.mean), tick_);
  const Eigen::Vector2d motion = channel.mean.head<kMotions>();
  Root derivative = Root::Identity();
  derivative.topLeftCorner<kMotions, kMotions>() = transfer.by_motion();
  derivative.topRightCorner<kMotions, kParameters>() =
      transfer.by_parameters(motion, command) * channel.start.asDiagonal();
  channel.mean.head<kMotions>() = transfer.advance(motion, command);
  Eigen::Matrix<double, kStates + 4, kStates> rows;
  rows.topRows<kStates>() = (derivative.lazyProduct(channel.root)).transpose();
  rows.bottomRows<4>() = process_noise(channel);
  channel.root = root_of_rows(rows);
}

/// Rows whose products are the covariance that a tick adds: the disturbance, held for the
/// tick as a command is, and the drift of each parameter.
Eigen::Matrix<double, 4, KalmanInverse::kStates> KalmanInverse::process_noise(
    const Channel& channel) const noexcept {
  Eigen::Matrix<double, 4, kStates> rows;
  rows.setZero();
  const SecondOrderTransfer transfer(parameters(channel, channel.mean), tick_);
  rows.row(0).head<kMotions>() =
      transfer.advance(Eigen::Vector2d::Zero(), disturbance_).transpose();
  if (!channel.excited) return rows;
  for (int i = 0; i < kParameters; ++i)
    if (channel.root.row(kMotions + i).norm() < channel.spread[i])
      rows(1 + i, kMotions + i) = drift_;
  return rows;
}

/// By Potter's rule: S ← S − S·φ·φᵀ/(s + √(s·R)) with φ = Sᵀ·h, s = φᵀφ + R. Without
/// excitation the motion alone.
void KalmanInverse::update(Channel& channel, double measured) const noexcept {
  const State seen = channel.root.row(0).transpose();
  const double power = seen.squaredNorm() + sensor_noise_;
  const State gain = channel.root * seen;
  const double innovation = (measured - channel.mean[0]) / power;
  const double shrinking = 1.0 / (power + std::sqrt(power * sensor_noise_));
  const int learning = channel.excited ? kStates : kMotions;
  channel.mean.head(learning) += gain.head(learning) * innovation;
  channel.root.topRows(learning) -=
      (shrinking * gain.head(learning)).lazyProduct(seen.transpose());
  channel.mean.tail<kParameters>() =
      channel.mean.tail<kParameters>().cwiseMax(channel.lowest).cwiseMin(channel.highest);
}

Eigen::Vector3d KalmanInverse::coefficients(int actuator) const noexcept {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  return parameters(channel, channel.mean);
}

Eigen::Matrix3d KalmanInverse::covariance(int actuator) const noexcept {
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  const Eigen::Matrix<double, kParameters, kStates> root =
      channel.start.asDiagonal() * channel.root.bottomRows<kParameters>();
  return root * root.transpose();
}

std::optional<LinearCompensatorModel> KalmanInverse::linearise(int actuator) const {
  const Eigen::Vector3d a = coefficients(actuator);
  return LinearCompensatorModel{.targets = {a[0]}, .velocity = a[1], .acceleration = a[2]};
}

std::optional<TransferEstimate> KalmanInverse::estimate(int actuator) const noexcept {
  const Eigen::Vector3d a = coefficients(actuator);
  return TransferEstimate{a[1] / a[0], 1.0 / a[0]};
}

/// With their standard deviations.
Channels KalmanInverse::coefficient_channels() const {
  Channels channels = series_channels();
  channels.insert(channels.end(), {{"a0_sd", ""}, {"a1_sd_s", "s"}, {"a2_sd_s2", "s2"}});
  return channels;
}

void KalmanInverse::copy_coefficients(int actuator, std::span<double> into) const noexcept {
  const Eigen::Vector3d a = coefficients(actuator);
  const Eigen::Vector3d deviation = covariance(actuator).diagonal().cwiseSqrt();
  std::copy(a.begin(), a.end(), into.begin());
  std::copy(deviation.begin(), deviation.end(), into.begin() + kParameters);
}

template <typename Self, typename Archive>
void KalmanInverse::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_)
    archive(channel.gate, channel.excited, channel.mean, channel.root);
  archive(self.started_);
}

void KalmanInverse::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void KalmanInverse::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
