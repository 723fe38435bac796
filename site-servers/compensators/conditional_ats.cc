#include "site-servers/compensators/conditional_ats.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/setting_checks.h"

namespace trestle::compensators {
namespace {

constexpr int kCoefficients = 3;
constexpr double kGainSpread = 0.2;
constexpr double kRateSpread = 0.5;
constexpr double kRowsOfMemory = 3.0;    // as many as coefficients
constexpr double kShortestScale = 1e-3;  // [s]
constexpr double kDelaysOfSlope = 5.0;
constexpr double kDelaysOfCurvature = 10.0;
constexpr ConditionalAtsSettings::Range kGainBounds{0.7, 1.3};
constexpr ConditionalAtsSettings::Range kSlopeBounds{0.0, 0.06};        // [s]
constexpr ConditionalAtsSettings::Range kCurvatureBounds{0.0, 0.0032};  // [s²]

Eigen::Vector3d to_vector(const SeriesCoefficients& values) {
  return {values[0], values[1], values[2]};
}

void check_conditional_settings(const ConditionalAtsSettings& settings) {
  require(settings.decimation >= 1, "decimation", settings.decimation,
          "must be at least 1");
  const double shortest = kRowsOfMemory * settings.decimation * settings.tick;
  require(settings.memory >= shortest && std::isfinite(settings.memory), "memory",
          settings.memory,
          "must be at least three rows, " + std::to_string(shortest) + " s");
  require(settings.residual > 0.0 && std::isfinite(settings.residual), "residual",
          settings.residual, "must be above zero");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
  for (const double value : settings.rate)
    require(value > 0.0 && std::isfinite(value), "rate", value, "must be above zero");
  if (!settings.spread) return;
  for (const double value : *settings.spread)
    require(value > 0.0 && std::isfinite(value), "spread", value, "must be above zero");
}

ConditionalAtsSettings::Range checked_range(
    const std::optional<ConditionalAtsSettings::Range>& given,
    const ConditionalAtsSettings::Range& otherwise, const char* field, double start) {
  const ConditionalAtsSettings::Range range = given.value_or(otherwise);
  require(std::isfinite(range.lowest) && std::isfinite(range.highest) &&
              range.lowest < range.highest,
          field, range.lowest,
          "must be below its upper bound, " + std::to_string(range.highest));
  require(start >= range.lowest && start <= range.highest, field, start,
          "is where it starts and outside its bounds, " + in_words(range.lowest) + " to " +
              in_words(range.highest) + "; widen these, or start inside");
  return range;
}

}  // namespace

Eigen::Vector3d bounded_estimate(const Eigen::Vector3d& estimate,
                                 const Eigen::Matrix3d& covariance,
                                 const Eigen::Vector3d& lowest,
                                 const Eigen::Vector3d& highest) noexcept {
  Eigen::Vector3d found = estimate;
  Eigen::Matrix3d spread = covariance;
  for (int pass = 0; pass < kCoefficients; ++pass) {
    int worst = -1;
    double furthest = 0.0;
    for (int i = 0; i < kCoefficients; ++i) {
      const double outside = std::max(found[i] - highest[i], lowest[i] - found[i]);
      if (!(outside > 0.0) || !(spread(i, i) > 0.0)) continue;
      const double deviations = outside / std::sqrt(spread(i, i));
      if (deviations > furthest) {
        furthest = deviations;
        worst = i;
      }
    }
    if (worst < 0) break;
    const double bound = found[worst] > highest[worst] ? highest[worst] : lowest[worst];
    const Eigen::Vector3d along = spread.col(worst) / spread(worst, worst);
    found += along * (bound - found[worst]);
    found[worst] = bound;
    spread -= along * spread.row(worst).eval();
    spread.row(worst).setZero();
    spread.col(worst).setZero();
  }
  return found.cwiseMax(lowest).cwiseMin(highest);
}

ConditionalAts::ConditionalAts(int actuators, const ConditionalAtsSettings& settings)
    : tick_(settings.tick),
      decimation_(settings.decimation),
      forgetting_(std::exp(-settings.decimation * settings.tick / settings.memory)),
      excitation_floor_(settings.excitation_floor),
      residual_(settings.residual),
      step_(to_vector(settings.rate) * settings.tick * settings.decimation) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check_conditional_settings(settings);
  settings.expected_delay.checked(actuators, "expected_delay");
  settings.initial.checked(actuators, "initial.coefficients");
  for (int i = 0; i < actuators; ++i) channels_.push_back(make_channel(settings, i));
  reset();
}

ConditionalAts::Channel ConditionalAts::make_channel(const ConditionalAtsSettings& settings,
                                                     int actuator) const {
  const double tau = settings.expected_delay[actuator];
  require(tau >= 0.0 && std::isfinite(tau), "expected_delay", tau, "must be above zero");
  const Eigen::Vector3d start = tau > 0.0 ? Eigen::Vector3d(1.0, tau, 0.5 * tau * tau)
                                          : to_vector(settings.initial[actuator]);
  require(start.allFinite() && start[0] > 0.0, "initial.coefficients", start[0],
          "a0 must be above zero, and all three finite");
  const double unit = std::max(std::abs(start[1]), kShortestScale);
  const Eigen::Vector3d scale(1.0, unit, unit * unit);
  const bool around = tau > 0.0;
  const auto a0 = checked_range(settings.a0, kGainBounds, "a0", start[0]);
  const auto a1 = checked_range(
      settings.a1,
      around ? ConditionalAtsSettings::Range{0.0, kDelaysOfSlope * tau} : kSlopeBounds,
      "a1", start[1]);
  const auto a2 = checked_range(
      settings.a2,
      around ? ConditionalAtsSettings::Range{0.0, kDelaysOfCurvature * tau * tau}
             : kCurvatureBounds,
      "a2", start[2]);
  const Eigen::Vector3d spread =
      settings.spread ? to_vector(*settings.spread).cwiseQuotient(scale).eval()
                      : Eigen::Vector3d(kGainSpread, kRateSpread, kRateSpread);
  const Eigen::MatrixXd covariance = spread.cwiseAbs2().asDiagonal().toDenseMatrix();
  Channel channel{.initial = start,
                  .scale = scale,
                  .lowest = {a0.lowest, a1.lowest, a2.lowest},
                  .highest = {a0.highest, a1.highest, a2.highest},
                  .measured_filter = make_low_pass(settings.filter, tick_),
                  .command_filter = make_low_pass(settings.filter, tick_),
                  .recursion = math::RecursiveLeastSquares(
                      start.cwiseQuotient(scale), covariance, forgetting_, covariance)};
  return channel;
}

ActuatorVector ConditionalAts::command(const ActuatorMotion& target,
                                       const ActuatorVector& measured,
                                       const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  assert(last_command.size() == measured.size());
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    if (!started_) {  // at rest where the rig stands
      channel.measured_filter.settle(measured[actuator]);
      channel.command_filter.settle(last_command[actuator]);
    }
    observe(channel, measured[actuator], last_command[actuator]);
    command[actuator] = channel.coefficients[0] * target.displacement[actuator] +
                        channel.coefficients[1] * target.velocity[actuator] +
                        channel.coefficients[2] * target.acceleration[actuator];
  }
  started_ = true;
  return command;
}

void ConditionalAts::observe(Channel& channel, double measured,
                             double command) const noexcept {
  constexpr int kOfDifferences = 3;
  channel.measured.push(channel.measured_filter.advance(measured));
  channel.commanded.push(channel.command_filter.advance(command));
  channel.seen = std::min(channel.seen + 1, kOfDifferences);
  if (++channel.ticks < decimation_) return;
  channel.ticks = 0;
  if (channel.seen == kOfDifferences) learn(channel);
}

void ConditionalAts::learn(Channel& channel) const noexcept {
  const math::DelayLine& m = channel.measured;
  channel.row << m[1], (m[0] - m[2]) / (2.0 * tick_),
      (m[0] - 2.0 * m[1] + m[2]) / (tick_ * tick_);
  const double command = channel.commanded[1];
  if (!channel.row.allFinite() || !std::isfinite(command)) return;
  channel.peak = std::max(std::abs(m[1]), forgetting_ * channel.peak);
  if (!(channel.peak > excitation_floor_)) return;

  channel.row.array() *= channel.scale.array() / residual_;
  math::RecursiveLeastSquares& recursion = channel.recursion;
  const double error = command / residual_ - recursion.coefficients().dot(channel.row);
  recursion.gain(channel.row);
  recursion.correct(error);

  const Eigen::Vector3d estimate = recursion.coefficients();
  Eigen::Matrix3d covariance;
  recursion.copy_covariance(covariance);
  const Eigen::Vector3d wanted =
      bounded_estimate(estimate, covariance, channel.lowest.cwiseQuotient(channel.scale),
                       channel.highest.cwiseQuotient(channel.scale))
          .cwiseProduct(channel.scale);
  if (!wanted.allFinite()) return;
  channel.coefficients += (wanted - channel.coefficients).cwiseMax(-step_).cwiseMin(step_);
}

void ConditionalAts::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.measured_filter.reset();
    channel.command_filter.reset();
    channel.recursion.reset();
    channel.measured.fill(0.0);
    channel.commanded.fill(0.0);
    channel.coefficients = channel.initial;
    channel.peak = 0.0;
    channel.ticks = 0;
    channel.seen = 0;
  }
  started_ = false;
}

std::optional<LinearCompensatorModel> ConditionalAts::linearise(int actuator) const {
  const Eigen::Vector3d& a = coefficients(actuator);
  return LinearCompensatorModel{.targets = {a[0]}, .velocity = a[1], .acceleration = a[2]};
}

std::optional<TransferEstimate> ConditionalAts::estimate(int actuator) const noexcept {
  const Eigen::Vector3d& a = coefficients(actuator);
  return TransferEstimate{a[1] / a[0], 1.0 / a[0]};
}

Channels ConditionalAts::coefficient_channels() const {
  return series_channels();
}

void ConditionalAts::copy_coefficients(int actuator,
                                       std::span<double> into) const noexcept {
  std::copy_n(coefficients(actuator).begin(), into.size(), into.begin());
}

template <typename Self, typename Archive>
void ConditionalAts::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_)
    archive(channel.measured_filter, channel.command_filter, channel.recursion,
            channel.measured, channel.commanded, channel.coefficients, channel.peak,
            channel.ticks, channel.seen);
  archive(self.started_);
}

void ConditionalAts::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void ConditionalAts::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
