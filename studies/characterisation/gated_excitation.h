#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "core/ports/site_adapter.h"
#include "core/types/fault.h"
#include "core/types/limits.h"
#include "site-servers/checks/drive_in_force.h"
#include "site-servers/safety/safety_gate.h"

namespace trestle::characterisation {

/// One actuator's motion from its position and back, the others held.
struct ExcitationSegment {
  int actuator = 0;
  std::vector<double> offsets;  ///< one per tick [m | rad]
};

/// The record of a move: per tick the drive in force during it and the reading at its end.
struct ExerciseRecord {
  std::vector<double> drive;                      ///< of the moved actuator, as an offset
  std::vector<std::vector<double>> displacement;  ///< by actuator [m | rad]
  std::vector<std::vector<double>> force;         ///< by actuator [N | N·m]
};

/// Moves a rig through its safety gate: the last in the chain, as in ControlLoop, and fed
/// with every reading before the drive that follows it. In the actuators' coordinates.
///
///   open(now)                          the initial measurement: the rig stands, nothing
///   moves begin(move), { tick(now) ... }     one per control tick, until it returns false
///
/// The reading that closes a move opens the next one, or stand(now) comes between: real
/// equipment is read and driven on while nothing is asked of it. The first fault of rig or
/// gate is latched, the rig holds where it is, and nothing moves any more.
///
/// tick(), stand() and the begin() that brings its room live on the real-time thread: they
/// allocate nothing. Between two moves the drive stays as it is.
class GatedExcitation {
 public:
  /// @param limits   one per actuator
  /// @param adapter  prepared for ticks of `tick`; outlives this
  GatedExcitation(const RigLimits& limits, double tick, SiteAdapter& adapter);

  /// What the rig was given last by others, and how it then stood: where it still stands
  /// so, and does not report another drive, the first drive is that one, and not the
  /// measurement. @pre  before open()
  void stood(const std::optional<DriveInForce>& before) { stood_ = before; }

  Fault open(TimePoint now) noexcept;

  /// The drive in force at the initial measurement, where every move begins and ends.
  const ActuatorVector& position() const noexcept { return position_; }

  /// Makes room for the record of the move. @pre open() was called
  void begin(const ExcitationSegment& move) { begin(move, room_for(move)); }
  /// @param room  of room_for(): what the move before left behind goes into it
  void begin(const ExcitationSegment& move, ExerciseRecord&& room) noexcept;
  ExerciseRecord room_for(const ExcitationSegment& move) const;

  /// One control tick between two moves: reads, and drives to where they begin.
  /// @returns false: there is a fault
  bool stand(TimePoint now) noexcept;

  /// One control tick: read, record, drive.
  /// @returns false: the move is over, its record complete; or there is a fault
  bool tick(TimePoint now) noexcept;

  /// Stops where the rig is, for good.
  void hold() noexcept { stop({FaultKind::kStopped, -1, 0.0, 0.0}); }
  /// The same for a fault that only the caller can see.
  void stop(const Fault& why) noexcept { trip(why); }

  const Fault& fault() const noexcept { return fault_; }
  const ExerciseRecord& record() const noexcept { return record_; }

 private:
  ActuatorVector drive_in_force() const noexcept;
  bool read(TimePoint now) noexcept;
  bool drive(const ActuatorVector& wanted) noexcept;
  bool is_stopped_by_interlock() noexcept;
  bool trip(const Fault& fault) noexcept;

  SiteAdapter& adapter_;
  RigLimits limits_;
  double tick_;
  safety::SafetyGate gate_;
  Measurement sensed_;
  std::optional<DriveInForce> stood_;
  ActuatorVector position_;
  ActuatorVector drive_;
  const ExcitationSegment* move_ = nullptr;
  std::size_t next_ = 0;  // tick of the move
  bool fresh_ = false;    // read since the last drive
  ExerciseRecord record_;
  Fault fault_;
};

}  // namespace trestle::characterisation
