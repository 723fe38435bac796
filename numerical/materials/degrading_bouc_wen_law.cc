#include "numerical/materials/degrading_bouc_wen_law.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"

namespace trestle::materials {
namespace {

constexpr int kMostAdaptiveParts = 4096;
constexpr double kError = 1e-12;  // of z_y, and of e
constexpr double kFirstPart = 1.0 / 64.0;
constexpr double kMostGrowth = 10.0;  // growth of ν, η per unit of e

}  // namespace

DegradingBoucWenLaw::DegradingBoucWenLaw(const DegradingBoucWenLawSettings& settings)
    : settings_(settings),
      stiffness_(settings.smooth.stiffness),
      hardening_(settings.smooth.hardening),
      yield_stretch_(settings.smooth.yield_force / settings.smooth.stiffness) {
  const BoucWenLaw checked(settings.smooth);  // its settings, by its own checks
  require_within(settings.strength, 0.0, kMostGrowth + 1e-9, "degrading.strength");
  require_within(settings.softening, 0.0, kMostGrowth + 1e-9, "degrading.stiffness");
  require_within(settings.level, 0.0, 1.0, "pinching.level");
  require_at_least(settings.rate, 0.0, "pinching.rate");
  require_within(settings.offset, 0.0, 1.0, "pinching.q");
  require_above_zero(settings.spread, "pinching.spread");
  require_at_least(settings.spread_rate, 0.0, "pinching.spread_rate");
  require_above_zero(settings.interaction, "pinching.interaction");
}

double DegradingBoucWenLaw::largest_stiffness() const noexcept {
  const BoucWenLawSettings& smooth = settings_.smooth;
  const double unloading = (smooth.gamma - smooth.beta) / (smooth.beta + smooth.gamma);
  return stiffness_ * (hardening_ + (1.0 - hardening_) * std::max(1.0, 1.0 - unloading));
}

DegradingBoucWenLaw::State DegradingBoucWenLaw::slope(const State& state) const noexcept {
  const BoucWenLawSettings& smooth = settings_.smooth;
  const double e = state.energy;
  const double strength = 1.0 + settings_.strength * e;
  const double softening = 1.0 + settings_.softening * e;
  const double power = strength * std::pow(std::abs(state.stretch), smooth.n);
  const double sign = state.stretch < 0.0 ? -1.0 : 1.0;
  double rise = (1.0 - power * (smooth.beta * sign + smooth.gamma)) / softening;
  const double depth = settings_.level * (1.0 - std::exp(-settings_.rate * e));
  if (depth != 0.0) {
    const double ultimate =
        std::pow(strength * (smooth.beta + smooth.gamma), -1.0 / smooth.n);
    const double width =
        (settings_.spread + settings_.spread_rate * e) * (settings_.interaction + depth);
    const double off = (state.stretch / ultimate - settings_.offset) / width;
    rise *= 1.0 - depth * std::exp(-off * off);
  }
  return {.stretch = rise, .energy = (1.0 - hardening_) * state.stretch};
}

DegradingBoucWenLaw::State DegradingBoucWenLaw::integrate(State y,
                                                          double way) const noexcept {
  const auto moved = [&y](double length, std::initializer_list<double> weights,
                          const State* slopes) {
    State sum = y;
    for (const double weight : weights) {
      sum.stretch += length * weight * slopes->stretch;
      sum.energy += length * weight * slopes->energy;
      ++slopes;
    }
    return sum;
  };
  State k[7];
  k[0] = slope(y);
  double length = std::min(way, kFirstPart);
  for (int part = 0; way > 0.0; ++part) {
    const bool last = part >= kMostAdaptiveParts;
    if (last || length > way) length = way;
    k[1] = slope(moved(length, {1.0 / 5.0}, k));
    k[2] = slope(moved(length, {3.0 / 40.0, 9.0 / 40.0}, k));
    k[3] = slope(moved(length, {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0}, k));
    k[4] = slope(
        moved(length,
              {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0}, k));
    k[5] = slope(moved(
        length,
        {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
        k));
    const State next = moved(
        length,
        {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
        k);
    k[6] = slope(next);
    const State fourth = moved(length,
                               {5179.0 / 57600.0, 0.0, 7571.0 / 16695.0, 393.0 / 640.0,
                                -92097.0 / 339200.0, 187.0 / 2100.0, 1.0 / 40.0},
                               k);
    // Energies grow: relative there.
    const double error =
        std::max(std::abs(next.stretch - fourth.stretch),
                 std::abs(next.energy - fourth.energy) / (1.0 + std::abs(next.energy)));
    const double factor =
        error > 0.0 ? std::clamp(0.9 * std::pow(kError / error, 0.2), 0.2, 5.0) : 5.0;
    if (error <= kError || last || !std::isfinite(error)) {
      way -= length;
      y = next;
      k[0] = k[6];
      if (last || !std::isfinite(error)) break;
    }
    length *= factor;
  }
  return y;
}

LawResponse DegradingBoucWenLaw::trial(double displacement, double /*velocity*/) noexcept {
  const double increment = displacement - displacement_;
  const double sign = increment < 0.0 ? -1.0 : 1.0;
  State along{.stretch = sign * state_.stretch, .energy = state_.energy};
  trial_displacement_ = displacement;
  if (!std::isfinite(increment))
    along.stretch = increment;  // a NaN stays one: the step above stops the run
  else if (increment != 0.0)
    along = integrate(along, std::abs(increment) / yield_stretch_);
  trial_ = {.stretch = sign * along.stretch, .energy = along.energy};
  return {
      .force = stiffness_ * (hardening_ * displacement +
                             (1.0 - hardening_) * yield_stretch_ * trial_.stretch),
      .stiffness = stiffness_ * (hardening_ + (1.0 - hardening_) * slope(along).stretch),
      .damping = 0.0};
}

void DegradingBoucWenLaw::commit() noexcept {
  displacement_ = trial_displacement_;
  state_ = trial_;
}

void DegradingBoucWenLaw::reset() noexcept {
  displacement_ = trial_displacement_ = 0.0;
  state_ = trial_ = {};
}

template <typename Self, typename Archive>
void DegradingBoucWenLaw::visit(Self& self, Archive& archive) {
  archive(self.displacement_, self.state_.stretch, self.state_.energy);
}

void DegradingBoucWenLaw::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void DegradingBoucWenLaw::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::materials
