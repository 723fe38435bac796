#include "numerical/materials/multi_linear_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"

namespace trestle::materials {

MultiLinearLaw::MultiLinearLaw(const MultiLinearLawSettings& settings)
    : yield_force_(std::numeric_limits<double>::infinity()), elastic_(settings.elastic) {
  if (settings.points.empty())
    throw SettingError("points", "has no point; give at least one");
  MultiLinearLawSettings::Point before;
  double slope = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < settings.points.size(); ++i) {
    const MultiLinearLawSettings::Point& point = settings.points[i];
    const std::string path = "points[" + std::to_string(i) + "]";
    const double rise = point.displacement - before.displacement;
    if (!(rise > 0.0))
      throw SettingError(path, "the displacement is " + in_words(point.displacement) +
                                   " behind " + in_words(before.displacement) +
                                   "; displacements must rise from point to point");
    const double next = (point.force - before.force) / rise;
    if (!(next >= 0.0) || (i == 0 && next == 0.0))
      throw SettingError(path,
                         "the slope up to here is " + in_words(next) +
                             "; must not be negative, and the first must be positive");
    if (next > slope)
      throw SettingError(path, "the slope rises from " + in_words(slope) + " to " +
                                   in_words(next) +
                                   "; slopes must fall from point to point");
    if (i == 0) {
      initial_stiffness_ = next;
    } else if (next < slope) {
      sliders_.push_back({.stiffness = slope - next, .limit = before.displacement});
      if (sliders_.size() == 1 && !elastic_) yield_force_ = before.force;
    }
    slope = next;
    before = point;
  }
  last_stiffness_ = slope;
}

LawResponse MultiLinearLaw::trial(double displacement, double /*velocity*/) noexcept {
  LawResponse response{.force = last_stiffness_ * displacement,
                       .stiffness = last_stiffness_,
                       .damping = 0.0};
  for (Slider& slider : sliders_) {
    const double stretch =
        elastic_ ? displacement : slider.stretch + (displacement - displacement_);
    slider.trial = std::clamp(stretch, -slider.limit, slider.limit);
    response.force += slider.stiffness * slider.trial;
    if (slider.trial == stretch) response.stiffness += slider.stiffness;
  }
  trial_displacement_ = displacement;
  return response;
}

void MultiLinearLaw::commit() noexcept {
  displacement_ = trial_displacement_;
  for (Slider& slider : sliders_) slider.stretch = slider.trial;
}

void MultiLinearLaw::reset() noexcept {
  displacement_ = trial_displacement_ = 0.0;
  for (Slider& slider : sliders_) slider.stretch = slider.trial = 0.0;
}

double MultiLinearLaw::stored_energy(double displacement) const noexcept {
  double energy = 0.5 * last_stiffness_ * displacement * displacement;
  for (const Slider& slider : sliders_) {
    // An elastic one takes the force at its limit along.
    const double beyond = elastic_ ? std::abs(displacement) - slider.limit : 0.0;
    energy += slider.stiffness * (0.5 * slider.stretch * slider.stretch +
                                  slider.limit * std::max(beyond, 0.0));
  }
  return energy;
}

template <typename Self, typename Archive>
void MultiLinearLaw::visit(Self& self, Archive& archive) {
  archive(self.displacement_);
  for (auto& slider : self.sliders_) archive(slider.stretch);
}

void MultiLinearLaw::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void MultiLinearLaw::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::materials
