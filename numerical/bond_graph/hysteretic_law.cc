#include "numerical/bond_graph/hysteretic_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trestle::bond_graph {

// The writer keeps its room when it is cleared, so that only its first use allocates.
HystereticLaw::HystereticLaw(std::unique_ptr<materials::RestoringForce> force)
    : force_(std::move(force)) {
  force_->save(committed_);
}

void HystereticLaw::keep() noexcept {
  committed_.clear();
  force_->save(committed_);
}

void HystereticLaw::restore_state() noexcept {
  SnapshotReader reader(committed_.values());
  force_->restore(reader);
}

double HystereticLaw::value(double argument) noexcept {
  const double value = force_->advance(argument);
  restore_state();
  return value;
}

double HystereticLaw::slope(double argument) noexcept {
  const double reach = reach_ * std::max(std::abs(argument), reach_);
  return (value(argument + reach) - value(argument - reach)) / (2.0 * reach);
}

void HystereticLaw::commit(double argument) noexcept {
  force_->advance(argument);
  keep();
}

void HystereticLaw::reset() noexcept {
  force_->reset();
  keep();
}

void HystereticLaw::restore(SnapshotReader& snapshot) {
  force_->restore(snapshot);
  keep();
}

}  // namespace trestle::bond_graph
