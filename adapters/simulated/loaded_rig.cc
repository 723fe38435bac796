#include "adapters/simulated/loaded_rig.h"

#include <utility>

namespace trestle {

LoadedRig::LoadedRig(RigDescription description, LoadedTransfers transfers, ReadNoise noise)
    : description_(std::move(description)),
      transfers_(std::move(transfers)),
      noise_(std::move(noise)),
      drive_(Eigen::VectorXd::Zero(transfers_.ports())) {}

void LoadedRig::prepare(const RigRun& run) {
  transfers_.prepare(run.tick);
  noise_.prepare(run);
  opened_ = false;
  drive_.setZero();
}

AdapterStatus LoadedRig::read(TimePoint now, Sensed& sensed) noexcept {
  const bool answered = !opened_ || transfers_.advance(drive_);
  opened_ = true;
  sensed.displacement = transfers_.displacement();
  sensed.force = transfers_.force();
  noise_.add(now, sensed);
  return answered ? AdapterStatus::kOk : AdapterStatus::kTripped;
}

AdapterStatus LoadedRig::write(const ActuatorVector& drive) noexcept {
  drive_ = drive;
  return AdapterStatus::kOk;
}

void LoadedRig::save(SnapshotWriter& snapshot) const {
  snapshot.add(opened_ ? 1.0 : 0.0);
  snapshot.add(drive_);
  transfers_.save(snapshot);
}

void LoadedRig::restore(SnapshotReader& snapshot) {
  opened_ = snapshot.next() != 0.0;
  snapshot.fill(drive_);
  transfers_.restore(snapshot);
}

}  // namespace trestle
