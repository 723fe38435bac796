#include "adapters/simulated/loaded_rig.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace trestle {

using Eigen::Index;

LoadedRig::LoadedRig(const std::string& site, RigDescription description,
                     LoadedTransfers transfers, const SensorNoise& noise)
    : description_(std::move(description)),
      transfers_(std::move(transfers)),
      noise_(noise),
      stream_(random_stream(site)),
      drive_(Eigen::VectorXd::Zero(transfers_.ports())) {
  if (noise_.displacement.size() == 0) noise_.displacement.setZero(drive_.size());
  if (noise_.force.size() == 0) noise_.force.setZero(drive_.size());
}

void LoadedRig::prepare(const RigRun& run) {
  run_ = run;
  transfers_.prepare(run.tick);
  opened_ = false;
  drive_.setZero();
}

AdapterStatus LoadedRig::read(TimePoint now, Sensed& sensed) noexcept {
  assert(run_.tick > 0.0);
  const bool answered = !opened_ || transfers_.advance(drive_);
  opened_ = true;
  sensed.displacement = transfers_.displacement();
  sensed.force = transfers_.force();
  const RandomPlace place{.seed = run_.seed,
                          .stream = stream_,
                          .channel = 0,
                          .index = static_cast<std::uint64_t>(
                              std::llround(seconds(now.time_since_epoch()) / run_.tick))};
  for (Index i = 0; i < drive_.size(); ++i) {
    if (noise_.displacement[i] > 0.0)
      sensed.displacement[i] += noise_.displacement[i] * noise(place, 2 * i);
    if (noise_.force[i] > 0.0) sensed.force[i] += noise_.force[i] * noise(place, 2 * i + 1);
  }
  return answered ? AdapterStatus::kOk : AdapterStatus::kTripped;
}

double LoadedRig::noise(RandomPlace place, Index channel) const noexcept {
  place.channel = static_cast<std::uint64_t>(channel);
  return standard_normal(place);
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
