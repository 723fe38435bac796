#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ports/site_adapter.h"
#include "core/types/limits.h"
#include "site-servers/node/rig_tare.h"

namespace trestle::site_node {

/// The rig of a site behind its tare: the one place where an offset is subtracted from what
/// the equipment reads. Limits, forces, checks and records behind it have the same value.
/// Forces, load cells and further channels can be tared. The displacement of an actuator
/// cannot: it is measured in the coordinate of the drive, which would have to shift with
/// it. Without a tare every call and every bit is the rig's.
class TaredRig final : public SiteAdapter {
 public:
  /// @param rig  outlives this, and any call of it
  explicit TaredRig(SiteAdapter& rig) : rig_(rig) {}

  /// Replaces the tare. While no thread reads the rig; may allocate.
  /// @param limits  the laboratory's, one per actuator; empty: no tare is above a part of
  /// one
  /// @returns one sentence: why it does not fit this rig, and nothing changed; empty: it
  /// does
  std::string set(const RigTare& tare, const RigLimits& limits = {});
  const RigTare& tare() const noexcept { return tare_; }

  // --- the rig ---

  RigDescription description() const override { return rig_.description(); }
  void prepare(const RigRun& run) override { rig_.prepare(run); }
  /// `sensed` keeps its values where the rig gives no whole and fresh ones.
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    return rig_.write(drive);
  }
  void hold() noexcept override { rig_.hold(); }
  std::string diagnostic_message() const override { return rig_.diagnostic_message(); }
  std::span<const double> auxiliary_channels() const noexcept override {
    return tares_further_ ? std::span<const double>(further_read_)
                          : rig_.auxiliary_channels();
  }
  std::span<const double> drive_in_force() const noexcept override {
    return rig_.drive_in_force();
  }
  int stale_reads() const noexcept override { return rig_.stale_reads(); }
  bool taken_over() const noexcept override { return rig_.taken_over(); }
  bool responds() const noexcept override { return rig_.responds(); }
  std::span<const double> accelerations() const noexcept override {
    return rig_.accelerations();
  }
  ActiveInterlock active_interlock() const noexcept override {
    return rig_.active_interlock();
  }
  void set_outputs(std::uint32_t closed) noexcept override { rig_.set_outputs(closed); }
  void report(SiteSignals signals) noexcept override { rig_.report(signals); }
  void save(SnapshotWriter& snapshot) const override { rig_.save(snapshot); }
  void restore(SnapshotReader& snapshot) override { rig_.restore(snapshot); }
  bool release() override { return rig_.release(); }

 private:
  SiteAdapter& rig_;
  RigTare tare_;
  bool tares_further_ = false;
  Measurement raw_;                   // as the rig gives it
  ActuatorVector force_;              // subtracted
  InterfaceVector force_only_;        // subtracted
  std::vector<double> further_;       // subtracted
  std::vector<double> further_read_;  // NaN: not read since the last set()
};

}  // namespace trestle::site_node
