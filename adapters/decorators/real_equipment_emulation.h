#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/ports/site_adapter.h"

namespace trestle::decorators {

/// A simulated rig that the site treats as real equipment: it waits for the operator's
/// consent, is read continuously even without a drive, and saves no state. Used to train
/// operators.
class RealEquipmentEmulation final : public SiteAdapter {
 public:
  RealEquipmentEmulation(std::unique_ptr<SiteAdapter> rig, bool hardware_watchdog)
      : rig_(std::move(rig)), hardware_watchdog_(hardware_watchdog) {}

  RigDescription description() const override {
    RigDescription description = rig_->description();
    description.real_equipment = true;
    description.hardware_watchdog = hardware_watchdog_;
    return description;
  }
  void prepare(const RigRun& run) override { rig_->prepare(run); }
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override {
    return rig_->read(now, sensed);
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    return rig_->write(drive);
  }
  void hold() noexcept override { rig_->hold(); }
  bool release() override { return rig_->release(); }
  std::string diagnostic_message() const override { return rig_->diagnostic_message(); }
  std::span<const double> auxiliary_channels() const noexcept override {
    return rig_->auxiliary_channels();
  }
  std::span<const double> accelerations() const noexcept override {
    return rig_->accelerations();
  }
  int stale_reads() const noexcept override { return rig_->stale_reads(); }
  void set_outputs(std::uint32_t closed) noexcept override { rig_->set_outputs(closed); }
  bool responds() const noexcept override { return rig_->responds(); }
  std::vector<std::string> host_refusals() const override { return rig_->host_refusals(); }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  std::unique_ptr<SiteAdapter> rig_;
  bool hardware_watchdog_;
};

}  // namespace trestle::decorators
