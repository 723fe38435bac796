#pragma once

#include "adapters/simulated/loaded_transfers.h"
#include "adapters/simulated/read_noise.h"
#include "core/ports/site_adapter.h"

namespace trestle {

/// A simulated rig whose transfer systems feel their specimen (LoadedTransfers). Moves by
/// reads, as SimulatedRig does, and has its noise; one actuator per port.
class LoadedRig final : public SiteAdapter {
 public:
  LoadedRig(RigDescription description, LoadedTransfers transfers, ReadNoise noise);

  RigDescription description() const override { return description_; }
  void prepare(const RigRun& run) override;
  /// @returns kTripped where the specimen has no answer
  AdapterStatus read(TimePoint now, Sensed& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override;
  /// The last drive stays; the transfer systems come to rest there by themselves.
  void hold() noexcept override {}
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  RigDescription description_;
  LoadedTransfers transfers_;
  ReadNoise noise_;
  bool opened_ = false;  // the first read is done
  Eigen::VectorXd drive_;
};

}  // namespace trestle
