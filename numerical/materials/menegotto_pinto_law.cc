#include "numerical/materials/menegotto_pinto_law.h"

#include <algorithm>
#include <cmath>

#include "core/base/setting_checks.h"

namespace trestle::materials {

MenegottoPintoLaw::MenegottoPintoLaw(const MenegottoPintoLawSettings& settings)
    : settings_(settings), yield_strain_(settings.yield_force / settings.stiffness) {
  require_above_zero(settings.stiffness, "E");
  require_above_zero(settings.yield_force, "fy");
  require_within(settings.hardening, 0.0, 1.0, "b");
  require_above_zero(settings.sharpness, "R0");
  require_within(settings.loss, 0.0, 1.0, "c1");
  require_above_zero(settings.spread, "c2");
  reset();
}

/// A new branch of the trial, from the state that was committed.
void MenegottoPintoLaw::turn(double way) noexcept {
  const double E = settings_.stiffness;
  const double b = settings_.hardening;
  trial_.way = way;
  trial_.reversal_strain = state_.strain;
  trial_.reversal_stress = state_.stress;
  if (state_.way != 0.0) {
    trial_.largest = std::max(state_.largest, state_.strain);
    trial_.smallest = std::min(state_.smallest, state_.strain);
  }
  // σ_r + E·(ε₀ − ε_r) = ±f_y + b·E·(ε₀ ∓ ε_y)
  trial_.meeting_strain =
      (way * settings_.yield_force * (1.0 - b) - state_.stress + E * state_.strain) /
      (E * (1.0 - b));
  trial_.meeting_stress =
      way * settings_.yield_force + b * E * (trial_.meeting_strain - way * yield_strain_);
  const double beyond = way > 0.0 ? trial_.largest : trial_.smallest;
  const double xi = std::abs(beyond - trial_.meeting_strain) / yield_strain_;
  trial_.sharpness =
      settings_.sharpness * (1.0 - settings_.loss * xi / (settings_.spread + xi));
}

LawResponse MenegottoPintoLaw::trial(double displacement, double /*velocity*/) noexcept {
  trial_ = state_;
  const double moved = displacement - state_.strain;
  if (moved == 0.0 && state_.way == 0.0)
    return {.force = 0.0, .stiffness = settings_.stiffness};
  if (moved * state_.way < 0.0 || state_.way == 0.0) turn(moved < 0.0 ? -1.0 : 1.0);
  const double b = settings_.hardening;
  const double span = trial_.meeting_strain - trial_.reversal_strain;
  const double rise = trial_.meeting_stress - trial_.reversal_stress;
  const double e = (displacement - trial_.reversal_strain) / span;
  const double power = 1.0 + std::pow(std::abs(e), trial_.sharpness);
  const double root = std::pow(power, 1.0 / trial_.sharpness);
  trial_.strain = displacement;
  trial_.stress = trial_.reversal_stress + (b * e + (1.0 - b) * e / root) * rise;
  return {.force = trial_.stress,
          .stiffness = (b + (1.0 - b) / (power * root)) * rise / span};
}

void MenegottoPintoLaw::reset() noexcept {
  state_ = {};
  state_.largest = yield_strain_;
  state_.smallest = -yield_strain_;
  trial_ = state_;
}

template <typename Self, typename Archive>
void MenegottoPintoLaw::visit(Self& self, Archive& archive) {
  auto& state = self.state_;
  archive(state.strain, state.stress, state.way, state.reversal_strain,
          state.reversal_stress, state.meeting_strain, state.meeting_stress,
          state.sharpness, state.largest, state.smallest);
}

void MenegottoPintoLaw::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void MenegottoPintoLaw::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::materials
