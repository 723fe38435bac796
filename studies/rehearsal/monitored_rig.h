#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/site_adapter.h"
#include "studies/rehearsal/process_lifetime.h"
#include "studies/rehearsal/rig_monitor.h"
#include "studies/rehearsal/scheduled_fault.h"
#include "studies/rehearsal/simulated_disk.h"

namespace trestle::rehearsal {

/// A simulated rig in a rehearsal, with transducers that may go wrong.
///
/// A simulated rig starts at rest each time its site's process starts, unless the process
/// restores its state. A rig that represents real equipment keeps its last drive while it
/// is not read, and reports that it is real.
class MonitoredRig {
 public:
  /// @param inner  a simulated rig
  /// @param clock  the lab's own; outlives this, as the disk does
  MonitoredRig(std::string site, std::unique_ptr<SiteAdapter> inner, bool real,
               const Clock& clock, const SimulatedDisk& disk);

  RigMonitor& watch() noexcept { return watch_; }
  const RigMonitor& watch() const noexcept { return watch_; }
  bool real() const noexcept { return real_; }

  /// A process of the site starts.
  void begin_life() noexcept;
  /// Spoils the next `reads` readings.
  void spoil(SensorFault garbage, int reads) noexcept;

  // Like SiteAdapter, for a living process.
  RigDescription description() const;
  void prepare(const RigRun& run);
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept;
  AdapterStatus write(const ActuatorVector& drive) noexcept;
  /// Real equipment reports the drive that it follows, because its record may be older: a
  /// process ends here as by a loss of power. Empty: none was written, or the rig is
  /// simulated.
  std::span<const double> drive_in_force() const noexcept {
    return {drive_.data(), real_ ? static_cast<std::size_t>(drive_.size()) : 0};
  }
  std::span<const double> accelerations() const noexcept { return inner_->accelerations(); }
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  void pass_time(TimePoint now, Measurement& sensed) noexcept;
  AdapterStatus spoilt(Measurement& sensed) noexcept;

  std::unique_ptr<SiteAdapter> inner_;
  bool real_;
  const Clock& clock_;
  const SimulatedDisk& disk_;
  RigMonitor watch_;
  ActuatorVector drive_;  // written last
  bool prepared_ = false;
  bool new_life_ = false;
  double tick_ = 0.0;
  TimePoint last_read_{};
  Measurement before_;  // as it was read last
  SensorFault garbage_ = SensorFault::kNaN;
  int spoilt_reads_ = 0;
};

/// The rig as one process of its site sees it.
class RigEndpoint final : public SiteAdapter {
 public:
  RigEndpoint(MonitoredRig& rig, ProcessLifetime& life) : rig_(rig), life_(life) {}

  RigDescription description() const override { return rig_.description(); }
  void prepare(const RigRun& run) override {
    if (life_.call()) rig_.prepare(run);
  }
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override {
    return life_.call() ? rig_.read(now, sensed) : AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    return life_.call() ? rig_.write(drive) : AdapterStatus::kOk;
  }
  void hold() noexcept override {}  // the last drive stays
  std::span<const double> drive_in_force() const noexcept override {
    return rig_.drive_in_force();
  }
  std::span<const double> accelerations() const noexcept override {
    return rig_.accelerations();
  }
  void save(SnapshotWriter& snapshot) const override { rig_.save(snapshot); }
  void restore(SnapshotReader& snapshot) override {
    if (life_.alive()) rig_.restore(snapshot);
  }

 private:
  MonitoredRig& rig_;
  ProcessLifetime& life_;
};

}  // namespace trestle::rehearsal
