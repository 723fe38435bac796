#include "numerical/materials/gap_law.h"

#include <algorithm>

#include "core/base/setting_checks.h"

namespace trestle::materials {

GapLaw::GapLaw(const GapLawSettings& settings)
    : stiffness_(settings.stiffness),
      gap_(settings.gap),
      sign_(settings.side == GapSide::kGap ? 1.0 : -1.0),
      damping_(settings.damping) {
  require_above_zero(settings.stiffness, "stiffness");
  require_at_least(settings.gap, 0.0, "gap");
  require_at_least(settings.damping, 0.0, "damping");
}

double GapLaw::initial_stiffness() const noexcept {
  return gap_ == 0.0 ? stiffness_ : 0.0;
}

LawResponse GapLaw::trial(double displacement, double velocity) noexcept {
  const double beyond = sign_ * displacement - gap_;
  // A displacement that is not a number reaches the force: the step stops the run.
  if (beyond <= 0.0) return {};
  const double elastic = sign_ * stiffness_ * beyond;
  if (damping_ == 0.0) return {.force = elastic, .stiffness = stiffness_, .damping = 0.0};
  return {
      .force = elastic + damping_ * velocity, .stiffness = stiffness_, .damping = damping_};
}

double GapLaw::stored_energy(double displacement) const noexcept {
  const double beyond = std::max(sign_ * displacement - gap_, 0.0);
  return 0.5 * stiffness_ * beyond * beyond;
}

}  // namespace trestle::materials
