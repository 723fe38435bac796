#include "numerical/materials/twin_law.h"

#include <utility>

namespace trestle::materials {

TwinLaw::TwinLaw(std::unique_ptr<ScalableLaw> start, double highest)
    : law_(std::move(start)),
      stiffness_(law_->initial_stiffness()),
      yield_force_(law_->yield_force()),
      largest_(highest * law_->largest_stiffness()) {}

void TwinLaw::follow(const LawFactors& factors) noexcept {
  factors_ = factors;
  law_->scale(factors_);
}

void TwinLaw::reset() noexcept {
  law_->reset();
  follow({});
}

void TwinLaw::save(SnapshotWriter& snapshot) const {
  snapshot(factors_.stiffness, factors_.yield_force, factors_.hardening);
  law_->save(snapshot);
}

void TwinLaw::restore(SnapshotReader& snapshot) {
  snapshot(factors_.stiffness, factors_.yield_force, factors_.hardening);
  law_->restore(snapshot);
  law_->scale(factors_);
}

}  // namespace trestle::materials
