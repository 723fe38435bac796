#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/ports/site_adapter.h"

namespace trestle::testing {

/// An ideal rig on springs: every read finds the drive, and force = stiffness ·
/// displacement. It writes down who called what.
class SpringRig final : public SiteAdapter {
 public:
  explicit SpringRig(int actuators, int reactions = 0)
      : position(ActuatorVector::Zero(actuators)),
        disturbance(Measurement::zero(actuators, reactions)) {
    calls.reserve(4096);
  }

  RigDescription description() const override {
    RigDescription description;
    description.reactions = static_cast<int>(disturbance.force_only.size());
    return description;
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    calls.push_back('r');
    sensed.displacement = position + disturbance.displacement;
    sensed.force = kStiffness * position + disturbance.force;
    if (short_force) sensed.force.conservativeResize(sensed.force.size() - 1);
    sensed.force_only = disturbance.force_only;
    return read_status;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    calls.push_back('w');
    position = drive;
    return write_status;
  }
  void hold() noexcept override { calls.push_back('h'); }
  std::span<const double> accelerations() const noexcept override { return felt; }
  ActiveInterlock active_interlock() const noexcept override { return interlock; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  static constexpr double kStiffness = 1e6;  ///< [N/m]

  ActuatorVector position;
  Measurement disturbance;   ///< added to what is sensed
  bool short_force = false;  ///< a value is missing
  AdapterStatus read_status = AdapterStatus::kOk;
  AdapterStatus write_status = AdapterStatus::kOk;
  std::string calls;          ///< r, w, h
  ActiveInterlock interlock;  ///< as of each read
  std::vector<double> felt;   ///< by accelerometers on the specimen [m/s²]; empty: none
};

}  // namespace trestle::testing
