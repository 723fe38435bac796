#include "site-servers/compensators/narx_compensator.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/base/setting_rule.h"

namespace trestle::compensators {
namespace {

constexpr double kPerMetre = 1e3;  // [mm]
constexpr int kHighestNarxOrder = 4;
constexpr int kShortestWindow = 8;
constexpr int kMostProducts = 8;
// Unexplained share of a column below which its coefficient is noise of the arithmetic.
constexpr double kTolerance = 1e-13;

/// Keeps differences and products inside the range of fixed point: differences of rising
/// order are ever smaller, products of several taps larger.
double difference_scale(int order) noexcept {
  return static_cast<double>(1 << order);
}

double product_scale(const NarxSettings::Product& product) {
  double power = 0.0;
  for (const NarxSettings::Factor& factor : product) power += factor.power;
  return std::exp2(-10.0 * std::max(0.0, std::ceil(power) - 1.0));
}

/// Binomial coefficient with the sign that it has in the difference of this order.
double difference_weight(int order, int tap) noexcept {
  double weight = 1.0;
  for (int i = 0; i < tap; ++i) weight *= -static_cast<double>(order - i) / (i + 1);
  return weight;
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
      unknowns_(settings.linear_taps + static_cast<int>(settings.products.size())),
      ridge_(settings.ridge * kPerMetre * kPerMetre),
      power_floor_(std::pow(kPerMetre * settings.excitation_floor, 2) * settings.window),
      rest_in_silence_(settings.freeze_below_excitation_floor),
      tick_(settings.tick) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check(settings);
  settings.initial_delay.checked(actuators, "initial_delay");
  for (const NarxSettings::Product& product : products_)
    product_scales_.push_back(product_scale(product));

  // Σ a² in the scaled differences c with a = Tᵀ c: cᵀ T Tᵀ c.
  penalty_ = math::NormalMatrix::Zero(unknowns_, unknowns_);
  for (int i = 0; i < linear_taps_; ++i)
    for (int j = 0; j < linear_taps_; ++j)
      for (int tap = 0; tap <= std::min(i, j); ++tap)
        penalty_(i, j) += ridge_ * difference_scale(i) * difference_weight(i, tap) *
                          difference_scale(j) * difference_weight(j, tap);
  for (int i = linear_taps_; i < unknowns_; ++i)
    penalty_(i, i) =
        ridge_ * std::pow(product_scales_[static_cast<std::size_t>(i - linear_taps_)], 2);

  for (int i = 0; i < actuators; ++i) {
    const double delay = settings.initial_delay[i];
    require(delay >= 0.0 && std::isfinite(delay), "initial_delay", delay,
            "must not be below zero");
    math::NormalVector start = math::NormalVector::Zero(unknowns_);
    start[0] = 1.0;
    if (linear_taps_ > 1) {
      start[0] = 1.0 + delay / settings.tick;
      start[1] = -delay / settings.tick;
    }
    channels_.push_back(
        {.first_coefficients = start,
         .coefficients = start,
         .measured_filter = make_low_pass(settings.filter, settings.tick),
         .command_filter = make_low_pass(settings.filter, settings.tick),
         .measured = {},
         .target = {},
         .window = math::SlidingGramMatrix(unknowns_ + 1, settings.window)});
  }
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
    }
    std::shift_right(channel.measured.begin(), channel.measured.end(), 1);
    channel.measured[0] = channel.measured_filter.advance(kPerMetre * measured[actuator]);
    std::shift_right(channel.target.begin(), channel.target.end(), 1);
    channel.target[0] = x;

    double sum = 0.0;
    for (int i = 0; i < linear_taps_; ++i)
      sum += channel.coefficients[i] * channel.target[static_cast<std::size_t>(i)];
    for (std::size_t i = 0; i < products_.size(); ++i)
      sum += channel.coefficients[linear_taps_ + static_cast<Eigen::Index>(i)] *
             product(i, channel.target);
    command[actuator] = sum / kPerMetre;
  }
  started_ = true;
  return command;
}

void NarxCompensator::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.coefficients = channel.first_coefficients;
    channel.measured_filter.reset();
    channel.command_filter.reset();
    channel.measured.fill(0.0);
    channel.window.reset();
    channel.learning = false;
  }
  started_ = false;
}

/// For motions so small that a product of taps is nothing beside a tap.
std::optional<LinearCompensatorModel> NarxCompensator::linearise(int actuator) const {
  const math::NormalVector& found = coefficients(actuator);
  LinearCompensatorModel form{.targets = {found.data(), found.data() + linear_taps_}};
  form.targets.resize(kMaxTaps, 0.0);
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const double weight = found[linear_taps_ + static_cast<Eigen::Index>(i)];
    double power = 0.0;
    for (const NarxSettings::Factor& factor : products_[i]) power += factor.power;
    if (weight == 0.0 || power > 1.0) continue;
    if (products_[i].size() != 1 || power != 1.0) return std::nullopt;
    form.targets[static_cast<std::size_t>(products_[i].front().tap)] += weight;
  }
  return form;
}

/// By its linear taps: products of several are small where motion is.
std::optional<TransferEstimate> NarxCompensator::estimate(int actuator) const noexcept {
  const math::NormalVector& found = coefficients(actuator);
  return estimate_from_inverse({found.data(), static_cast<std::size_t>(linear_taps_)}, 0.0,
                               {}, tick_);
}

template <typename Self, typename Archive>
void NarxCompensator::visit(Self& self, Archive& archive) {
  for (auto& channel : self.channels_) {
    archive(channel.coefficients, channel.measured_filter, channel.command_filter,
            channel.measured, channel.target, channel.window, channel.learning);
  }
  archive(self.started_);
}

void NarxCompensator::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void NarxCompensator::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
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
  Taps difference = channel.measured;
  for (int level = 0; level < linear_taps_; ++level) {
    row[static_cast<std::size_t>(level)] = difference_scale(level) * difference[0];
    for (std::size_t i = 0; i + 1 < kMaxTaps; ++i)
      difference[i] = difference[i] - difference[i + 1];
  }
  for (std::size_t i = 0; i < products_.size(); ++i)
    row[static_cast<std::size_t>(linear_taps_) + i] =
        product_scales_[i] * product(i, channel.measured);
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
  const math::NormalVector found = math::solve_rank_deficient(A, b, kTolerance);
  for (int tap = 0; tap < linear_taps_; ++tap) {
    double sum = 0.0;
    for (int order = tap; order < linear_taps_; ++order)
      sum += found[order] * difference_scale(order) * difference_weight(order, tap);
    channel.coefficients[tap] = sum;
  }
  for (int i = linear_taps_; i < unknowns_; ++i)
    channel.coefficients[i] =
        found[i] * product_scales_[static_cast<std::size_t>(i - linear_taps_)];
}

}  // namespace trestle::compensators
