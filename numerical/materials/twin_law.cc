#include "numerical/materials/twin_law.h"

namespace trestle::materials {

TwinLaw::TwinLaw(const BoucWenLawSettings& settings, double highest)
    : law_(settings), largest_(highest * law_.largest_stiffness()) {}

void TwinLaw::follow(const BoucWenFactors& factors) noexcept {
  factors_ = factors;
  law_.scale(factors_);
}

void TwinLaw::reset() noexcept {
  law_.reset();
  follow({});
}

void TwinLaw::save(SnapshotWriter& snapshot) const {
  snapshot(factors_.stiffness, factors_.yield_force, factors_.hardening);
  law_.save(snapshot);
}

void TwinLaw::restore(SnapshotReader& snapshot) {
  snapshot(factors_.stiffness, factors_.yield_force, factors_.hardening);
  law_.restore(snapshot);
  law_.scale(factors_);
}

}  // namespace trestle::materials
