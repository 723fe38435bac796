#include "site-servers/compensators/windowed_ats.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/base/setting_checks.h"

namespace trestle::compensators {
namespace {

constexpr double kLongestWindow = 1e6;  // of the window

Eigen::Vector3d vector_of(const SeriesCoefficients& values) {
  return {values[0], values[1], values[2]};
}

void check_windowed_settings(const WindowedAtsSettings& settings) {
  require(settings.window > 0.0 && settings.window <= kLongestWindow * settings.tick,
          "window", settings.window,
          "must be above zero, and at most " +
              std::to_string(kLongestWindow * settings.tick) + " s");
  require(settings.decimation >= 1, "decimation", settings.decimation,
          "must be at least 1");
  require(settings.first_rows >= 3, "first_rows", settings.first_rows,
          "must be at least 3, as many as coefficients");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
  require(settings.ridge >= 0.0 && std::isfinite(settings.ridge), "ridge", settings.ridge,
          "must not be below zero");
  const auto positive = [](const SeriesCoefficients& values, const char* field) {
    for (const double value : values)
      require(value > 0.0 && std::isfinite(value), field, value, "must be above zero");
  };
  positive(settings.scale, "scale");
  positive(settings.rate, "rate");
  const auto ordered = [](const WindowedAtsSettings::Range& range, const char* field) {
    require(std::isfinite(range.lowest) && std::isfinite(range.highest) &&
                range.lowest < range.highest,
            field, range.lowest,
            "must be below its upper bound, " + std::to_string(range.highest));
  };
  ordered(settings.a0, "a0");
  ordered(settings.a1, "a1");
  ordered(settings.a2, "a2");
}

/// @param path  of the filter in the settings
math::LowPass make_filter(const AdaptationFilter& filter, double tick, const char* path) {
  try {
    return make_low_pass(filter, tick);
  } catch (const SettingError& error) {
    throw SettingError(path, error.what());
  }
}

}  // namespace

WindowedAts::WindowedAts(int actuators, const WindowedAtsSettings& settings)
    : tick_(settings.tick),
      decimation_(settings.decimation),
      first_rows_(static_cast<std::size_t>(std::max(settings.first_rows, 0))),
      excitation_floor_(settings.excitation_floor),
      ridge_(settings.ridge),
      scale_(vector_of(settings.scale)),
      step_(vector_of(settings.rate) * settings.tick * settings.decimation),
      lowest_(settings.a0.lowest, settings.a1.lowest, settings.a2.lowest),
      highest_(settings.a0.highest, settings.a1.highest, settings.a2.highest),
      filtered_target_(settings.target_filter.frequency != 0.0) {
  assert(actuators > 0 && actuators <= kMaxActuators && tick_ > 0.0);
  check_windowed_settings(settings);
  settings.initial.checked(actuators, "initial.coefficients");
  const auto rows =
      static_cast<std::size_t>(std::max(std::round(settings.window / tick_ / decimation_),
                                        static_cast<double>(settings.first_rows)));
  for (int i = 0; i < actuators; ++i) {
    Channel channel;
    channel.initial = vector_of(settings.initial[i]);
    require(channel.initial.allFinite() && channel.initial[0] > 0.0, "initial.coefficients",
            channel.initial[0], "a0 must be above zero, and all three finite");
    channel.measured_filter = make_filter(settings.filter, tick_, "filter");
    channel.command_filter = channel.measured_filter;
    channel.target_filter = make_filter(settings.target_filter, tick_, "target_filter");
    channel.rows.assign(rows, Eigen::Vector4d::Zero());
    channels_.push_back(std::move(channel));
  }
  reset();
}

ActuatorVector WindowedAts::command(const ActuatorMotion& target,
                                    const ActuatorVector& measured,
                                    const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  assert(last_command.size() == measured.size());
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    if (!started_) {
      // Starts at rest at the rig's position: no motion for adaptation.
      channel.measured_filter.settle(measured[actuator]);
      channel.command_filter.settle(last_command[actuator]);
      channel.target_filter.settle(target.displacement[actuator]);
      channel.target.fill(target.displacement[actuator]);
    }
    observe(channel, measured[actuator], last_command[actuator]);
    command[actuator] = channel.coefficients.dot(series(channel, target, actuator));
  }
  started_ = true;
  return command;
}

void WindowedAts::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.coefficients = channel.initial;
    channel.kept = 0;
    channel.newest = 0;
    channel.ticks = 0;
    channel.seen = 0;
    channel.measured.fill(0.0);
    channel.commanded.fill(0.0);
    channel.target.fill(0.0);
  }
  started_ = false;
}

std::optional<LinearCompensatorModel> WindowedAts::linearise(int actuator) const {
  if (filtered_target_) return std::nullopt;
  const Eigen::Vector3d& a = coefficients(actuator);
  return LinearCompensatorModel{.targets = {a[0]}, .velocity = a[1], .acceleration = a[2]};
}

std::optional<TransferEstimate> WindowedAts::estimate(int actuator) const noexcept {
  const Eigen::Vector3d& a = coefficients(actuator);
  return TransferEstimate{a[1] / a[0], 1.0 / a[0]};
}

Eigen::Vector3d WindowedAts::series(Channel& channel, const ActuatorMotion& target,
                                    Eigen::Index actuator) const noexcept {
  const double x = target.displacement[actuator];
  if (!filtered_target_)
    return {x, target.velocity[actuator], target.acceleration[actuator]};
  math::DelayLine& past = channel.target;
  past.push(channel.target_filter.advance(x));
  return {x, (past[0] - past[1]) / tick_,
          (past[0] - 2.0 * past[1] + past[2]) / (tick_ * tick_)};
}

void WindowedAts::observe(Channel& channel, double measured,
                          double command) const noexcept {
  channel.measured.push(channel.measured_filter.advance(measured));
  channel.commanded.push(channel.command_filter.advance(command));
  constexpr int kDifferences = 3;
  channel.seen = std::min(channel.seen + 1, kDifferences);
  if (++channel.ticks < decimation_) return;
  channel.ticks = 0;
  if (channel.seen < kDifferences) return;
  const math::DelayLine& x = channel.measured;
  channel.newest = (channel.newest + 1) % channel.rows.size();
  channel.rows[channel.newest] = {
      scale_[0] * x[1], scale_[1] * (x[0] - x[2]) / (2.0 * tick_),
      scale_[2] * (x[0] - 2.0 * x[1] + x[2]) / (tick_ * tick_), channel.commanded[1]};
  channel.kept = std::min(channel.kept + 1, channel.rows.size());
  if (channel.kept >= first_rows_) learn(channel);
}

void WindowedAts::learn(Channel& channel) const noexcept {
  Eigen::Matrix4d gram = Eigen::Matrix4d::Zero();
  double largest = 0.0;
  std::size_t at = channel.newest;
  for (std::size_t i = 0; i < channel.kept; ++i) {
    const Eigen::Vector4d& row = channel.rows[at];
    gram.noalias() += row * row.transpose();
    largest = std::max(largest, std::abs(row[0]));
    at = at == 0 ? channel.rows.size() - 1 : at - 1;
  }
  if (largest <= excitation_floor_ * scale_[0]) return;
  Eigen::Matrix3d information = gram.topLeftCorner<3, 3>();
  const double pull = ridge_ * information.trace() / 3.0;
  information.diagonal().array() += pull;
  const Eigen::Vector3d right =
      gram.topRightCorner<3, 1>() + pull * channel.initial.cwiseQuotient(scale_);
  const Eigen::Vector3d found = information.ldlt().solve(right).cwiseProduct(scale_);
  if (!found.allFinite()) return;
  const Eigen::Vector3d wanted = found.cwiseMax(lowest_).cwiseMin(highest_);
  channel.coefficients += (wanted - channel.coefficients).cwiseMax(-step_).cwiseMin(step_);
}

Channels WindowedAts::coefficient_channels() const {
  return series_channels();
}

void WindowedAts::copy_coefficients(int actuator, std::span<double> into) const noexcept {
  std::copy_n(coefficients(actuator).begin(), into.size(), into.begin());
}

template <typename Self, typename Archive>
void WindowedAts::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_) {
    archive(channel.coefficients, channel.measured_filter, channel.command_filter,
            channel.target_filter, channel.measured, channel.commanded, channel.target,
            channel.rows, channel.kept, channel.newest, channel.ticks, channel.seen);
  }
  archive(self.started_);
}

void WindowedAts::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void WindowedAts::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
