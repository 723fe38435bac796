#pragma once

#include <cmath>

#include "core/ports/site_adapter.h"
#include "tests/fuzz/promise.h"

namespace trestle::fuzz {

/// An ideal rig of one actuator on a spring that looks at every drive: none may leave the
/// laboratory's limits (P9). Its transducers may lie, and its own protection may act.
class GuardedRig final : public SiteAdapter {
 public:
  static constexpr double kDisplacement = 0.06;  ///< laboratory's limit [m]
  static constexpr double kRate = 0.5;           ///< laboratory's limit [m/s]

  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, false, false, kShortestTick, 0};
  }
  void prepare(const RigRun& run) override {
    tick_ = run.tick;
    promise(tick_ >= kShortestTick, "no control tick is shorter than the rig's shortest");
    begun_ = false;
  }
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement.setConstant(1, position_ + lie);
    sensed.force.setConstant(1, 1e6 * position_);
    if (!begun_) last_ = position_ + lie;  // where the rig says that it is
    begun_ = true;
    return status;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    promise(tick_ > 0.0 && begun_, "a rig is prepared and read before it is driven");
    promise(drive.size() == 1 && std::isfinite(drive[0]), "a drive is a number");
    promise(std::abs(drive[0]) <= kDisplacement, "no drive is beyond the limit");
    promise(std::abs(drive[0] - last_) <= kRate * tick_ * (1.0 + 1e-9),
            "no drive is faster than the limit");
    last_ = position_ = drive[0];
    ++drives;
    return status;
  }
  void hold() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  double position() const noexcept { return position_; }

  AdapterStatus status = AdapterStatus::kOk;
  double lie = 0.0;  ///< of the displacement transducer [m]
  long drives = 0;

 private:
  static constexpr double kShortestTick = 1e-4;
  double tick_ = 0.0;
  bool begun_ = false;
  double position_ = 0.0;
  double last_ = 0.0;
};

}  // namespace trestle::fuzz
