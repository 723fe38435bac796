#include "adapters/simulated/displacement_observer.h"

#include <cassert>

namespace trestle::simulated {

DisplacementObserver::DisplacementObserver(math::ObservedPlantSettings settings,
                                           std::string path)
    : settings_(std::move(settings)), path_(std::move(path)) {}

void DisplacementObserver::prepare(double tick) {
  observer_.emplace(math::discretise_plant(settings_, tick, path_), path_);
}

void DisplacementObserver::advance(const ActuatorVector& drive) noexcept {
  assert(observer_);
  observer_->predict(drive);
}

ActuatorVector DisplacementObserver::estimate(const ActuatorVector& read) noexcept {
  assert(observer_);
  observer_->correct(read);
  return observer_->displacement();
}

void DisplacementObserver::save(SnapshotWriter& snapshot) const {
  if (observer_) observer_->save(snapshot);
}

void DisplacementObserver::restore(SnapshotReader& snapshot) {
  if (observer_) observer_->restore(snapshot);
}

}  // namespace trestle::simulated
