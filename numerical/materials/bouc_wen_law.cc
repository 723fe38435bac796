#include "numerical/materials/bouc_wen_law.h"

#include <algorithm>
#include <cmath>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"

namespace trestle::materials {
namespace {

// Longest Runge–Kutta step times the law's steepest rate; (1/32)⁴/120 = 8e-9 over the whole
// knee, and real increments are far shorter.
constexpr double kPart = 1.0 / 32.0;
constexpr int kMostParts = 4096;

}  // namespace

BoucWenLaw::BoucWenLaw(const BoucWenLawSettings& settings)
    : settings_(settings),
      stiffness_(settings.stiffness),
      yield_force_(settings.yield_force),
      hardening_(settings.hardening),
      n_(settings.n) {
  require_above_zero(settings.stiffness, "stiffness");
  require_above_zero(settings.yield_force, "yield_force");
  require_within(settings.hardening, 0.0, 1.0, "hardening");
  require_within(settings.n, 1.0, 100.0 + 1e-9, "n");
  require_at_least(settings.beta, 0.0, "beta");
  const double sum = settings.beta + settings.gamma;
  if (!std::isfinite(sum) || sum <= 0.0)
    throw SettingError("gamma", "beta + gamma is " + in_words(sum) +
                                    "; must be positive, or the force grows without bound");
  ultimate_ = std::pow(sum, -1.0 / settings.n);
  set_ultimate_stretch();
  unloading_ = (settings.gamma - settings.beta) / sum;
  loading_part_ = kPart / n_;
  // From the ultimate to zero it is a way of one at the most, or the law sticks there.
  unloading_part_ =
      std::max(kPart / (n_ * std::max(1.0, std::abs(unloading_))), 1.0 / kMostParts);
}

void BoucWenLaw::set_ultimate_stretch() noexcept {
  ultimate_stretch_ = yield_force_ / stiffness_ * ultimate_;
}

void BoucWenLaw::scale(const LawFactors& by) noexcept {
  stiffness_ = by.stiffness * settings_.stiffness;
  yield_force_ = by.yield_force * settings_.yield_force;
  hardening_ = by.hardening * settings_.hardening;
  set_ultimate_stretch();
  stretch_ = std::clamp(stretch_, -ultimate_stretch_, ultimate_stretch_);
  trial_stretch_ = std::clamp(trial_stretch_, -ultimate_stretch_, ultimate_stretch_);
}

double BoucWenLaw::initial_stiffness() const noexcept {
  return stiffness_;
}

double BoucWenLaw::largest_stiffness() const noexcept {
  return stiffness_ * (hardening_ + (1.0 - hardening_) * std::max(1.0, 1.0 - unloading_));
}

double BoucWenLaw::slope(double y) const noexcept {
  return 1.0 - (y < 0.0 ? unloading_ : 1.0) * std::pow(std::abs(y), n_);
}

double BoucWenLaw::step(double y, double way) const noexcept {
  const double a = slope(y);
  const double b = slope(y + 0.5 * way * a);
  const double c = slope(y + 0.5 * way * b);
  const double d = slope(y + way * c);
  return y + way / 6.0 * (a + 2.0 * (b + c) + d);
}

/// From y < 0 towards zero, at most to it; `way` is left with what remains.
double BoucWenLaw::unload(double y, double& way) const noexcept {
  for (int i = 0; i <= kMostParts && way > 0.0; ++i) {
    double length = std::min(unloading_part_, way);
    double next = step(y, length);
    if (next >= 0.0) {
      // Land on zero: there the slope is one, so that Newton needs no more than a few
      // turns.
      for (int turn = 0; turn < 4; ++turn) {
        length = std::clamp(length - next, 0.0, way);
        next = step(y, length);
      }
      way -= length;
      return 0.0;
    }
    y = next;
    way -= length;
  }
  return y;
}

/// From y >= 0 towards one.
double BoucWenLaw::load(double y, double way) const noexcept {
  // 1 − y falls at least like exp(−n·way) once y is beyond the knee.
  if (way > 2.0 + 40.0 / n_) return 1.0;
  const double parts = std::ceil(way / loading_part_);
  const double part = way / parts;
  for (int i = 0; i < static_cast<int>(parts); ++i) y = step(y, part);
  return std::min(y, 1.0);
}

LawResponse BoucWenLaw::trial(double displacement, double /*velocity*/) noexcept {
  const double increment = displacement - displacement_;
  const double sign = increment < 0.0 ? -1.0 : 1.0;
  double y = sign * stretch_ / ultimate_stretch_;
  trial_displacement_ = displacement;
  trial_stretch_ = stretch_;
  if (!std::isfinite(increment)) {
    trial_stretch_ = increment;  // a NaN stays one: the step above stops the run
  } else if (increment != 0.0) {
    double way = std::abs(increment) / ultimate_stretch_;
    if (y < 0.0) y = unload(y, way);
    if (y >= 0.0 && way > 0.0) y = load(y, way);
    trial_stretch_ = sign * y * ultimate_stretch_;
  }
  // z follows its differential equation to the end of the increment: there lies its slope.
  return {.force = stiffness_ *
                   (hardening_ * displacement + (1.0 - hardening_) * trial_stretch_),
          .stiffness = stiffness_ * (hardening_ + (1.0 - hardening_) * slope(y)),
          .damping = 0.0};
}

void BoucWenLaw::commit() noexcept {
  displacement_ = trial_displacement_;
  stretch_ = trial_stretch_;
}

void BoucWenLaw::reset() noexcept {
  displacement_ = 0.0;
  stretch_ = 0.0;
  trial_displacement_ = 0.0;
  trial_stretch_ = 0.0;
}

template <typename Self, typename Archive>
void BoucWenLaw::visit(Self& self, Archive& archive) {
  archive(self.displacement_, self.stretch_);
}

void BoucWenLaw::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void BoucWenLaw::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::materials
