#include "numerical/materials/bilinear_law.h"

#include <algorithm>

#include "core/base/setting_checks.h"

namespace trestle::materials {

BilinearLaw::BilinearLaw(const BilinearLawSettings& settings)
    : settings_(settings),
      stiffness_(settings.stiffness),
      hardening_(settings.hardening),
      yield_stretch_(settings.yield_force / settings.stiffness) {
  require_above_zero(settings.stiffness, "stiffness");
  require_above_zero(settings.yield_force, "yield_force");
  require_within(settings.hardening, 0.0, 1.0, "hardening");
}

double BilinearLaw::initial_stiffness() const noexcept {
  return stiffness_;
}

void BilinearLaw::scale(const LawFactors& by) noexcept {
  stiffness_ = by.stiffness * settings_.stiffness;
  hardening_ = by.hardening * settings_.hardening;
  yield_stretch_ = by.yield_force * settings_.yield_force / stiffness_;
  stretch_ = std::clamp(stretch_, -yield_stretch_, yield_stretch_);
  trial_stretch_ = std::clamp(trial_stretch_, -yield_stretch_, yield_stretch_);
}

LawResponse BilinearLaw::trial(double displacement, double /*velocity*/) noexcept {
  const double elastic = stretch_ + (displacement - displacement_);
  trial_stretch_ = std::clamp(elastic, -yield_stretch_, yield_stretch_);
  trial_displacement_ = displacement;
  return {.force = stiffness_ *
                   (hardening_ * displacement + (1.0 - hardening_) * trial_stretch_),
          .stiffness = trial_stretch_ == elastic ? stiffness_ : hardening_ * stiffness_,
          .damping = 0.0};
}

void BilinearLaw::commit() noexcept {
  displacement_ = trial_displacement_;
  stretch_ = trial_stretch_;
}

void BilinearLaw::reset() noexcept {
  displacement_ = 0.0;
  stretch_ = 0.0;
  trial_displacement_ = 0.0;
  trial_stretch_ = 0.0;
}

double BilinearLaw::stored_energy(double displacement) const noexcept {
  return 0.5 * stiffness_ *
         (hardening_ * displacement * displacement +
          (1.0 - hardening_) * stretch_ * stretch_);
}

template <typename Self, typename Archive>
void BilinearLaw::visit(Self& self, Archive& archive) {
  archive(self.displacement_, self.stretch_);
}

void BilinearLaw::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void BilinearLaw::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::materials
