#pragma once

#include "core/ports/site_adapter.h"
#include "tests/studies/characterisation/control_tick.h"

namespace trestle::characterisation {

/// Two actuators that are where they are told one read later, standing at 4 mm.
class PromptRig : public SiteAdapter {
 public:
  RigDescription description() const override {
    return {.actuators = {{"1", DofKind::kTranslation}, {"2", DofKind::kTranslation}}};
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    ++reads;
    sensed.displacement = drive;
    sensed.force = stiffness * drive;
    return reads == late_read ? AdapterStatus::kLate : AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& next) noexcept override {
    ++writes;
    drive = next;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { ++holds; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  ActuatorVector drive = ActuatorVector::Constant(2, 0.004);
  double stiffness = 1e6;
  int reads = 0;
  int writes = 0;
  int holds = 0;
  int late_read = -1;
};

}  // namespace trestle::characterisation
