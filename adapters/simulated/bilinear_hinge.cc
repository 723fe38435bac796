#include "adapters/simulated/bilinear_hinge.h"

#include <cmath>

namespace trestle::simulated {

BilinearHinge::BilinearHinge(const HingeSettings& settings)
    : yield_moment_(settings.yield_moment),
      hardening_(settings.hardening / (1.0 - settings.hardening) *
                 settings.reference_stiffness) {}

double BilinearHinge::flow(double trial_moment, double stiffness) const noexcept {
  const double hysteretic = trial_moment - hardening_ * rotation_;
  const double excess = std::abs(hysteretic) - yield_moment_;
  if (!(excess > 0.0)) return 0.0;
  return std::copysign(excess / (stiffness + hardening_), hysteretic);
}

void BilinearHinge::commit(double flow, double /*moment*/) noexcept {
  rotation_ += flow;
}

}  // namespace trestle::simulated
