#pragma once

#include "adapters/simulated/coupled_actuators.h"
#include "adapters/simulated/sensor_noise.h"
#include "core/ports/site_adapter.h"

namespace trestle::simulated {

/// A simulated rig whose transfer systems react to the force of their specimen
/// (CoupledActuators). Moves by reads, like SimulatedRig, and has its noise; one actuator
/// per port.
class CoupledRig final : public SiteAdapter {
 public:
  CoupledRig(RigDescription description, CoupledActuators transfers,
             SensorNoiseGenerator noise);

  RigDescription description() const override { return description_; }
  void prepare(const RigRun& run) override;
  /// @returns kTripped if the specimen has no answer
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override;
  /// The last drive stays; the transfer systems come to rest by themselves.
  void hold() noexcept override {}
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  RigDescription description_;
  CoupledActuators transfers_;
  SensorNoiseGenerator noise_;
  bool opened_ = false;  // the first read is done
  Eigen::VectorXd drive_;
};

}  // namespace trestle::simulated
