#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adapters/simulated/coupled_actuators.h"
#include "adapters/simulated/drive_channel.h"
#include "adapters/simulated/sensor_noise.h"
#include "core/ports/site_adapter.h"

namespace trestle::simulated {

/// One site's part of a rig whose specimen stands between several sites, each of them
/// simulated on its own.
///
/// Every site computes the whole: all transfer systems and the specimen, by the drives that
/// the sites tell each other. What the others drive in the tick under way it does not know
/// yet; it continues from their last two drives along a straight line, and makes good for
/// it in the next tick. A drive changes the force at another port by the fourth power of
/// the tick, so that the reading is off by that much of a drive's second difference. A run
/// so depends on what was driven alone: in lock-step, with a step of one control tick,
/// sites in one process and in several give the same bits, also behind a restart: with a
/// snapshot a site keeps what it has told last, and tells it again. Not so while a site
/// drives to its safe position at the end, where it may be ahead of the others.
class SharedSpecimenRig final : public SiteAdapter {
 public:
  /// @param transfers  of all ports
  /// @param own        ports that this site drives, in the order of its actuators
  SharedSpecimenRig(RigDescription description, CoupledActuators transfers,
                    std::unique_ptr<DriveChannel> exchange, std::vector<Eigen::Index> own,
                    SensorNoiseGenerator noise);

  RigDescription description() const override { return description_; }
  /// @throws std::runtime_error if the sites cannot meet
  void prepare(const RigRun& run) override;
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override;
  void hold() noexcept override {}
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  RigDescription description_;
  CoupledActuators transfers_;  // as all sites know it: one tick ago
  std::unique_ptr<DriveChannel> exchange_;
  std::vector<Eigen::Index> own_;
  SensorNoiseGenerator noise_;
  std::int64_t tick_ = -1;    // of the last read
  Eigen::VectorXd drive_;     // own, written last
  Eigen::VectorXd previous_;  // own, of the tick before
  Eigen::VectorXd last_;      // of all, in the tick that led to where transfers_ stand
  Eigen::VectorXd older_;     // and before it
  Eigen::MatrixXd told_;      // of all ports, a ring by tick
  Eigen::VectorXd expected_, displacement_, force_;
};

}  // namespace trestle::simulated
