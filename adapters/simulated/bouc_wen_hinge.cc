#include "adapters/simulated/bouc_wen_hinge.h"

#include <algorithm>
#include <cmath>

namespace trestle::simulated {

BoucWenHinge::BoucWenHinge(const HingeSettings& settings, double n)
    : yield_moment_(settings.yield_moment),
      reference_stiffness_(settings.reference_stiffness),
      hardening_(settings.hardening / (1.0 - settings.hardening) *
                 settings.reference_stiffness),
      n_(n) {}

double BoucWenHinge::flow(double trial_moment, double stiffness) const noexcept {
  const double trial = (trial_moment - hardening_ * rotation_) / yield_moment_;
  const double sign = std::copysign(1.0, trial);
  const double elastic = sign * trial;
  const double start = std::max(0.0, sign * hysteretic_);
  if (!(elastic > start)) return 0.0;  // |z| does not grow
  const double total = stiffness + hardening_;
  const double end = hysteretic_end(elastic, start, total / reference_stiffness_);
  return sign * yield_moment_ * (elastic - end) / total;
}

double BoucWenHinge::hysteretic_end(double elastic, double start,
                                    double stiffness_ratio) const noexcept {
  // (z_e − z)(1 − zⁿ) = c (z − z₀) zⁿ has one root between z₀ and min(z_e, 1): Newton, held
  // inside its bracket by bisection. Written without a quotient, since z comes to 1.
  constexpr int kMostIterations = 64;
  double low = start;
  double high = std::min(elastic, 1.0);
  double z = 0.5 * (low + high);
  for (int i = 0; i < kMostIterations && low < high; ++i) {
    const double power = std::pow(z, n_);
    const double slope = n_ * power / z;
    const double residual =
        (elastic - z) * (1.0 - power) - stiffness_ratio * (z - start) * power;
    if (residual > 0.0)
      low = z;
    else
      high = z;
    const double derivative = -(1.0 - power) - (elastic - z) * slope -
                              stiffness_ratio * (power + (z - start) * slope);
    double next = z - residual / derivative;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == z) break;
    z = next;
  }
  return z;
}

void BoucWenHinge::commit(double flow, double moment) noexcept {
  rotation_ += flow;
  hysteretic_ = std::clamp((moment - hardening_ * rotation_) / yield_moment_, -1.0, 1.0);
}

void BoucWenHinge::reset() noexcept {
  rotation_ = 0.0;
  hysteretic_ = 0.0;
}

template <typename Self, typename Archive>
void BoucWenHinge::visit(Self& self, Archive& archive) {
  archive(self.rotation_, self.hysteretic_);
}

void BoucWenHinge::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void BoucWenHinge::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
