#include "numerical/materials/concrete_law.h"

#include <algorithm>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"

namespace trestle::materials {

ConcreteLaw::ConcreteLaw(const ConcreteLawSettings& settings) : settings_(settings) {
  require_above_zero(settings.strength, "fc");
  require_above_zero(settings.strain, "strain");
  require_at_least(settings.residual, 0.0, "fu");
  if (settings.residual > settings.strength)
    throw SettingError("fu",
                       "is above fc: the strength that is left cannot be more than "
                       "the strength; take fu <= fc");
  if (!(settings.ultimate_strain > settings.strain))
    throw SettingError("ultimate_strain",
                       "must be above strain, at which the concrete has its strength");
  unload_from(0.0);
}

LawResponse ConcreteLaw::first_loading(double strain) const noexcept {
  const double fc = settings_.strength;
  const double part = -strain / settings_.strain;
  if (part <= 1.0)
    return {.force = -fc * (2.0 - part) * part,
            .stiffness = initial_stiffness() * (1.0 - part)};
  if (-strain >= settings_.ultimate_strain) return {.force = -settings_.residual};
  const double slope =
      (settings_.residual - fc) / (settings_.ultimate_strain - settings_.strain);
  return {.force = -(fc + slope * (-strain - settings_.strain)), .stiffness = slope};
}

void ConcreteLaw::unload_from(double smallest) noexcept {
  slope_ = initial_stiffness();
  end_ = smallest;
  if (smallest >= 0.0) return;
  const double eta = std::min(-smallest, settings_.ultimate_strain) / settings_.strain;
  const double part = eta < 2.0 ? (0.145 * eta + 0.13) * eta : 0.707 * (eta - 2.0) + 0.834;
  const double stress = -first_loading(smallest).force;
  const double by_line = -smallest - part * settings_.strain;
  const double by_slope = stress / initial_stiffness();
  const double length = std::max(by_line, by_slope);
  end_ = smallest + length;
  slope_ = length > 0.0 ? stress / length : initial_stiffness();
}

LawResponse ConcreteLaw::trial(double displacement, double /*velocity*/) noexcept {
  trial_ = displacement;
  if (displacement <= smallest_) return first_loading(displacement);
  if (displacement >= end_) return {};
  return {.force = slope_ * (displacement - end_), .stiffness = slope_};
}

void ConcreteLaw::commit() noexcept {
  if (trial_ >= smallest_) return;
  smallest_ = trial_;
  unload_from(smallest_);
}

void ConcreteLaw::reset() noexcept {
  smallest_ = trial_ = 0.0;
  unload_from(0.0);
}

void ConcreteLaw::restore(SnapshotReader& snapshot) {
  snapshot(smallest_);
  trial_ = smallest_;
  unload_from(smallest_);
}

}  // namespace trestle::materials
