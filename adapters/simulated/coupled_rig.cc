#include "adapters/simulated/coupled_rig.h"

#include <utility>

namespace trestle::simulated {

CoupledRig::CoupledRig(RigDescription description, CoupledActuators transfers,
                       SensorNoiseGenerator noise)
    : description_(std::move(description)),
      transfers_(std::move(transfers)),
      noise_(std::move(noise)),
      drive_(Eigen::VectorXd::Zero(transfers_.ports())) {}

void CoupledRig::prepare(const RigRun& run) {
  transfers_.prepare(run.tick);
  noise_.prepare(run);
  opened_ = false;
  drive_.setZero();
}

AdapterStatus CoupledRig::read(TimePoint now, Measurement& sensed) noexcept {
  const bool answered = !opened_ || transfers_.advance(drive_);
  opened_ = true;
  sensed.displacement = transfers_.displacement();
  sensed.force = transfers_.force();
  noise_.add(now, sensed);
  return answered ? AdapterStatus::kOk : AdapterStatus::kTripped;
}

AdapterStatus CoupledRig::write(const ActuatorVector& drive) noexcept {
  drive_ = drive;
  return AdapterStatus::kOk;
}

template <typename Self, typename Archive>
void CoupledRig::visit(Self& self, Archive& archive) {
  archive(self.opened_, self.drive_, self.transfers_);
}

void CoupledRig::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void CoupledRig::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
