#include "site-servers/compensators/narx_compensator.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/setting_checks.h"

namespace trestle::compensators {
namespace {

using narx::difference_scale;
using narx::difference_weight;
using narx::kPerMetre;
using narx::kTolerance;
constexpr int kHighestNarxOrder = 4;
constexpr int kShortestWindow = 8;
constexpr int kMostProducts = 8;
constexpr int kMostTerms = 16;
constexpr std::size_t kMotions = TapExpression::kMotionTaps;
constexpr std::size_t kCommands = TapExpression::kCommandTaps;
static_assert(TapExpression::kMotionTaps <= narx::kMostTaps);

/// Keeps products of several taps inside the range of fixed point.
double product_scale(const NarxSettings::Product& product) {
  double power = 0.0;
  for (const NarxSettings::Factor& factor : product) power += factor.power;
  return std::exp2(-10.0 * std::max(0.0, std::ceil(power) - 1.0));
}

/// As product_scale() of a product of the same size, by what the term is at a metre.
double expression_scale(const TapExpression& term) {
  constexpr double kMetre = 1024.0;  // [mm]
  constexpr double kLeast = 0x1p-20;
  double largest = kMetre;
  for (const double at : {kMetre, -kMetre}) {
    TapExpression::Variables taps;
    taps.fill(at);
    const double value = std::abs(term.value(taps));
    if (!std::isfinite(value)) return kLeast;
    largest = std::max(largest, value);
  }
  return std::max(kLeast, std::exp2(-std::ceil(std::log2(largest / kMetre))));
}

/// Whether u[k] = Σ cⱼ·u[k−j] fades away: Schur and Cohn's recursion.
bool fades(const math::NormalVector& coefficients, int begin, int count) {
  std::array<double, kCommands + 1> polynomial{1.0};
  for (int j = 0; j < count; ++j)
    polynomial[static_cast<std::size_t>(j) + 1] = -coefficients[begin + j];
  for (auto order = static_cast<std::size_t>(count); order > 0; --order) {
    const double last = polynomial[order];
    if (!(std::abs(last) < 1.0)) return false;
    const auto above = polynomial;
    for (std::size_t i = 0; i < order; ++i)
      polynomial[i] = (above[i] - last * above[order - i]) / (1.0 - last * last);
  }
  return true;
}

void check(const NarxSettings& settings) {
  require(settings.order >= 1 && settings.order <= kHighestNarxOrder, "order",
          settings.order, "must be from 1 to " + std::to_string(kHighestNarxOrder));
  require(settings.window >= kShortestWindow &&
              settings.window <= math::SlidingGramMatrix::kMaxWindow,
          "window", settings.window,
          "must be from " + std::to_string(kShortestWindow) + " to " +
              std::to_string(math::SlidingGramMatrix::kMaxWindow) + " ticks");
  require(settings.ridge >= 0.0 && std::isfinite(settings.ridge), "ridge", settings.ridge,
          "must not be below zero");
  require(settings.excitation_floor >= 0.0, "excitation_floor", settings.excitation_floor,
          "must not be below zero");
  require(settings.linear_taps >= 1 && settings.linear_taps <= settings.order + 1,
          "linear_taps", settings.linear_taps,
          "must be from 1 to " + std::to_string(settings.order + 1) + " at order " +
              std::to_string(settings.order));
  const std::size_t products = settings.products.size();
  require(products <= kMostProducts, "products", products,
          "must be at most " + std::to_string(kMostProducts));
  for (std::size_t i = 0; i < products; ++i)
    for (std::size_t j = 0; j < settings.products[i].size(); ++j) {
      const NarxSettings::Factor& factor = settings.products[i][j];
      const std::string path =
          "products[" + std::to_string(i) + "].factors[" + std::to_string(j) + "]";
      require(factor.tap >= 0 && factor.tap <= settings.order, path + ".tap", factor.tap,
              "order " + std::to_string(settings.order) + " has taps 0 to " +
                  std::to_string(settings.order));
      require(factor.power > 0.0 && std::isfinite(factor.power), path + ".power",
              factor.power, "must be above zero");
    }
}

}  // namespace

NarxCompensator::NarxCompensator(int actuators, const NarxSettings& settings)
    : linear_taps_(settings.linear_taps),
      products_(settings.products),
      ridge_(settings.ridge * kPerMetre * kPerMetre),
      window_(settings.window),
      power_floor_(std::pow(kPerMetre * settings.excitation_floor, 2) * settings.window),
      rest_in_silence_(settings.freeze_below_excitation_floor),
      tick_(settings.tick) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check(settings);
  settings.initial_delay.checked(actuators, "initial_delay");
  if (!settings.terms.empty()) read_terms(settings);
  for (const NarxSettings::Product& product : products_)
    scales_.push_back(product_scale(product));
  for (const TapExpression& term : expressions_) scales_.push_back(expression_scale(term));
  unknowns_ = linear() + static_cast<int>(scales_.size());
  make_penalty();
  for (int i = 0; i < actuators; ++i) {
    const double delay = settings.initial_delay[i];
    require(delay >= 0.0 && std::isfinite(delay), "initial_delay", delay,
            "must not be below zero");
    require(settings.terms.empty() || delay == 0.0 || linear_taps_ > 1, "initial_delay",
            delay, "needs the term x1 beside x0; add it, or leave initial_delay out");
    const math::NormalVector start = first_coefficients(delay);
    channels_.push_back(
        {.first_coefficients = start,
         .coefficients = start,
         .measured_filter = make_low_pass(settings.filter, settings.tick),
         .command_filter = make_low_pass(settings.filter, settings.tick),
         .prediction_filter = make_low_pass(settings.filter, settings.tick),
         .measured = {},
         .target = {},
         .window = math::SlidingGramMatrix(unknowns_ + 1, settings.window)});
  }
}

/// x0, x1, ... and u1, u2, ... without a gap are the linear taps, all others expressions.
void NarxCompensator::read_terms(const NarxSettings& settings) {
  require(settings.terms.size() <= kMostTerms, "terms", settings.terms.size(),
          "must be at most " + std::to_string(kMostTerms));
  std::array<bool, TapExpression::kVariables> alone{};
  std::vector<TapExpression> all;
  for (std::size_t i = 0; i < settings.terms.size(); ++i) {
    const std::string field = "terms[" + std::to_string(i) + "]";
    all.emplace_back(settings.terms[i], settings.order, field);
    if (std::find(settings.terms.begin(), settings.terms.begin() + static_cast<long>(i),
                  settings.terms[i]) != settings.terms.begin() + static_cast<long>(i))
      throw SettingError(field,
                         "`" + settings.terms[i] + "` is given twice; leave one out");
    if (const auto variable = all.back().variable())
      alone[static_cast<std::size_t>(*variable)] = true;
    uses_commands_ = uses_commands_ || all.back().uses_commands();
  }
  if (!alone[0])
    throw SettingError("terms",
                       "has no term x0; the command begins as the target itself, "
                       "so add x0");
  const auto gap = [&](std::size_t begin, std::size_t end) {
    return static_cast<int>(std::find(alone.begin() + static_cast<long>(begin),
                                      alone.begin() + static_cast<long>(end), false) -
                            alone.begin() - static_cast<long>(begin));
  };
  linear_taps_ = gap(0, kMotions);
  linear_commands_ = gap(kMotions, alone.size());
  for (TapExpression& term : all) {
    const int variable = term.variable().value_or(TapExpression::kVariables);
    const bool linear = variable < linear_taps_ ||
                        (variable >= TapExpression::kMotionTaps &&
                         variable < TapExpression::kMotionTaps + linear_commands_);
    if (!linear) expressions_.push_back(std::move(term));
  }
}

/// Σ a² in the scaled differences c with a = Tᵀ c: cᵀ T Tᵀ c.
void NarxCompensator::make_penalty() {
  penalty_ = math::NormalMatrix::Zero(unknowns_, unknowns_);
  for (const auto& [begin, count] :
       {std::pair{0, linear_taps_}, std::pair{linear_taps_, linear_commands_}})
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        for (int tap = 0; tap <= std::min(i, j); ++tap)
          penalty_(begin + i, begin + j) += ridge_ * difference_scale(i) *
                                            difference_weight(i, tap) *
                                            difference_scale(j) * difference_weight(j, tap);
  for (int i = linear(); i < unknowns_; ++i)
    penalty_(i, i) = ridge_ * std::pow(scales_[static_cast<std::size_t>(i - linear())], 2);
}

math::NormalVector NarxCompensator::first_coefficients(double delay) const {
  math::NormalVector start = math::NormalVector::Zero(unknowns_);
  start[0] = 1.0;
  if (linear_taps_ > 1) {
    start[0] = 1.0 + delay / tick_;
    start[1] = -delay / tick_;
  }
  return start;
}

ActuatorVector NarxCompensator::command(const ActuatorMotion& target,
                                        const ActuatorVector& measured,
                                        const ActuatorVector& last_command) noexcept {
  assert(measured.size() == static_cast<Eigen::Index>(channels_.size()));
  ActuatorVector command(measured.size());
  for (Eigen::Index actuator = 0; actuator < command.size(); ++actuator) {
    Channel& channel = channels_[static_cast<std::size_t>(actuator)];
    const double x = kPerMetre * target.displacement[actuator];
    if (started_) {
      add_pair(channel, channel.command_filter.advance(kPerMetre * last_command[actuator]));
      learn(channel);
    } else {
      channel.target.fill(x);
      channel.predicted = kPerMetre * last_command[actuator];
      std::fill(channel.target.begin() + kMotions, channel.target.end(), channel.predicted);
    }
    update_taps(channel, x, kPerMetre * measured[actuator]);
    channel.predicted = predict(channel);
    command[actuator] = channel.predicted / kPerMetre;
  }
  started_ = true;
  return command;
}

/// The taps of this tick.
void NarxCompensator::update_taps(Channel& channel, double target,
                                  double measured) const noexcept {
  const auto push = [](Taps& taps, std::size_t begin, std::size_t end, double newest) {
    std::shift_right(taps.begin() + begin, taps.begin() + end, 1);
    taps[begin] = newest;
  };
  push(channel.measured, 0, kMotions, channel.measured_filter.advance(measured));
  push(channel.target, 0, kMotions, target);
  if (!uses_commands_ || !started_) return;
  push(channel.measured, kMotions, channel.measured.size(),
       channel.prediction_filter.advance(channel.predicted));
  push(channel.target, kMotions, channel.target.size(), channel.predicted);
}

double NarxCompensator::predict(const Channel& channel) const noexcept {
  double sum = 0.0;
  for (int i = 0; i < linear_taps_; ++i)
    sum += channel.coefficients[i] * channel.target[static_cast<std::size_t>(i)];
  for (int j = 0; j < linear_commands_; ++j)
    sum += channel.coefficients[linear_taps_ + j] *
           channel.target[kMotions + static_cast<std::size_t>(j)];
  for (std::size_t i = 0; i < scales_.size(); ++i)
    sum += channel.coefficients[linear() + static_cast<Eigen::Index>(i)] *
           further(i, channel.target);
  return sum;
}

void NarxCompensator::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.coefficients = channel.first_coefficients;
    channel.measured_filter.reset();
    channel.command_filter.reset();
    channel.prediction_filter.reset();
    channel.measured.fill(0.0);
    channel.window.reset();
    channel.learning = false;
  }
  started_ = false;
}

/// For motions so small that a product of taps is nothing beside a tap.
std::optional<LinearCompensatorModel> NarxCompensator::linearise(int actuator) const {
  const math::NormalVector& found = coefficients(actuator);
  LinearCompensatorModel form{
      .targets = {found.data(), found.data() + linear_taps_},
      .commands = {found.data() + linear_taps_, found.data() + linear()}};
  form.targets.resize(kMotions, 0.0);
  if (uses_commands_) form.commands.resize(kCommands, 0.0);
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const double weight = found[linear() + static_cast<Eigen::Index>(i)];
    double power = 0.0;
    for (const NarxSettings::Factor& factor : products_[i]) power += factor.power;
    if (weight == 0.0 || power > 1.0) continue;
    if (products_[i].size() != 1 || power != 1.0) return std::nullopt;
    form.targets[static_cast<std::size_t>(products_[i].front().tap)] += weight;
  }
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    const double weight = found[linear() + static_cast<Eigen::Index>(i)];
    if (weight == 0.0) continue;
    const Taps slope = expressions_[i].gradient_at_rest();
    for (std::size_t tap = 0; tap < slope.size(); ++tap) {
      if (!std::isfinite(slope[tap])) return std::nullopt;
      if (tap < kMotions)
        form.targets[tap] += weight * slope[tap];
      else if (uses_commands_)
        form.commands[tap - kMotions] += weight * slope[tap];
    }
  }
  return form;
}

/// By its linear taps: products of several are small where motion is.
std::optional<TransferEstimate> NarxCompensator::estimate(int actuator) const noexcept {
  const math::NormalVector& found = coefficients(actuator);
  return estimate_from_inverse(
      {found.data(), static_cast<std::size_t>(linear_taps_)}, 0.0,
      {found.data() + linear_taps_, static_cast<std::size_t>(linear_commands_)}, tick_);
}

Channels NarxCompensator::coefficient_channels() const {
  Channels channels;
  const auto add = [&](const char* letter, int first, int count) {
    for (int i = first; i < first + count; ++i)
      channels.push_back({letter + std::to_string(i), ""});
  };
  add("a", 0, linear_taps_);
  add("c", 1, linear_commands_);
  add("b", 0, static_cast<int>(scales_.size()));
  return channels;
}

void NarxCompensator::copy_coefficients(int actuator,
                                        std::span<double> into) const noexcept {
  const math::NormalVector& found = coefficients(actuator);
  std::copy_n(found.begin(), into.size(), into.begin());
}

std::optional<NarxStep<double>> NarxCompensator::step(int actuator) const {
  if (!scales_.empty() || linear_commands_ > 0) return std::nullopt;
  const Channel& channel = channels_[static_cast<std::size_t>(actuator)];
  NarxStep<double> step;
  step.measured_filter = channel.measured_filter.step();
  step.command_filter = channel.command_filter.step();
  step.coefficients = channel.first_coefficients;
  step.penalty = penalty_;
  step.power_floor = power_floor_;
  step.restless = rest_in_silence_ ? 0.0 : 1.0;
  return step;
}

void NarxCompensator::take_over(int actuator,
                                std::span<const double> coefficients) noexcept {
  std::copy(coefficients.begin(), coefficients.end(),
            channels_[static_cast<std::size_t>(actuator)].coefficients.begin());
}

template <typename Self, typename Archive>
void NarxCompensator::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_) {
    archive(channel.coefficients, channel.measured_filter, channel.command_filter,
            channel.prediction_filter, channel.measured, channel.target, channel.predicted,
            channel.window, channel.learning);
  }
  archive(self.started_);
}

void NarxCompensator::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void NarxCompensator::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

double NarxCompensator::further(std::size_t index, const Taps& taps) const noexcept {
  return expressions_.empty() ? product(index, taps) : expressions_[index].value(taps);
}

double NarxCompensator::product(std::size_t index, const Taps& taps) const noexcept {
  double value = 1.0;
  for (const NarxSettings::Factor& factor : products_[index]) {
    const double x = taps[static_cast<std::size_t>(factor.tap)];
    if (factor.power == 1.0)
      value *= x;
    else if (factor.keeps_sign)
      value *= std::copysign(std::pow(std::abs(x), factor.power), x);
    else if (factor.power == 2.0)
      value *= x * x;
    else
      value *= std::pow(std::abs(x), factor.power);
  }
  return value;
}

/// Pairs the command of the last tick with what had been measured up to then.
void NarxCompensator::add_pair(Channel& channel, double command) const noexcept {
  std::array<double, math::SlidingGramMatrix::kMaxColumns> row{};
  const Taps& taps = channel.measured;
  narx::add_differences(taps.data(), linear_taps_, row.data());
  narx::add_differences(taps.data() + kMotions, linear_commands_,
                        row.data() + linear_taps_);
  for (std::size_t i = 0; i < scales_.size(); ++i)
    row[static_cast<std::size_t>(linear()) + i] = scales_[i] * further(i, taps);
  row[static_cast<std::size_t>(unknowns_)] = command;
  channel.window.add(row.data());
}

void NarxCompensator::learn(Channel& channel) const noexcept {
  const math::SlidingGramMatrix& window = channel.window;
  if (!window.full()) return;
  const bool excited = window.sum(0, 0) > power_floor_;
  if (excited) channel.learning = true;
  if (!(rest_in_silence_ ? excited : channel.learning)) return;
  math::NormalMatrix A = penalty_;
  math::NormalVector b(unknowns_);
  for (int j = 0; j < unknowns_; ++j) {
    b[j] = window.sum(unknowns_, j);
    for (int i = j; i < unknowns_; ++i) A(i, j) += window.sum(i, j);
  }
  math::NormalVector learnt = fitted(A, b);
  if (!fades(learnt, linear_taps_, linear_commands_)) {
    for (int i = linear_taps_; i < linear(); ++i) {
      A.row(i).setZero();
      A.col(i).setZero();
      A(i, i) = 1.0;
      b[i] = 0.0;
    }
    learnt = fitted(A, b);
  }
  channel.coefficients = learnt;
}

/// The coefficients of the terms, by those of the rows of the regression.
math::NormalVector NarxCompensator::fitted(const math::NormalMatrix& A,
                                           const math::NormalVector& b) const noexcept {
  const math::NormalVector found = math::solve_rank_deficient(A, b, kTolerance);
  math::NormalVector learnt(unknowns_);
  for (const auto& [begin, count] :
       {std::pair{0, linear_taps_}, std::pair{linear_taps_, linear_commands_}})
    narx::to_taps(found.data() + begin, count, learnt.data() + begin);
  for (int i = linear(); i < unknowns_; ++i)
    learnt[i] = found[i] * scales_[static_cast<std::size_t>(i - linear())];
  return learnt;
}

}  // namespace trestle::compensators
