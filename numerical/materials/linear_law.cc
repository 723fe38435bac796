#include "numerical/materials/linear_law.h"

#include "core/base/setting_check.h"

namespace trestle::materials {

LinearLaw::LinearLaw(const LinearLawSettings& settings) : stiffness_(settings.stiffness) {
  require_at_least(stiffness_, 0.0, "stiffness");
}

double LinearLaw::initial_stiffness() const noexcept {
  return stiffness_;
}

LawResponse LinearLaw::trial(double displacement, double /*velocity*/) noexcept {
  return {.force = stiffness_ * displacement, .stiffness = stiffness_, .damping = 0.0};
}

}  // namespace trestle::materials
