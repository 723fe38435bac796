#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "core/base/time.h"
#include "core/types/actuator_vector.h"
#include "core/types/interlock.h"
#include "core/types/message.h"
#include "core/types/motion.h"
#include "core/types/record.h"

namespace trestle {

/// Result of a read or a write.
enum class AdapterStatus : std::uint8_t {
  kOk,       ///< done
  kLate,     ///< no fresh measurement in this tick: the values are the previous ones
  kTripped,  ///< the rig's own protection acted: the run must stop
};

/// Settings of a run, for the rig.
struct RigRun {
  double tick = 0.0;  ///< control tick δt [s], > 0
  std::uint64_t seed =
      0;  ///< of all noise; with site, channel and tick it determines every value
  /// Ticks follow the wall clock: a tick that takes too long delays the next.
  bool wall_clock = false;
};

/// Properties of a rig.
struct RigDescription {
  std::vector<ActuatorDescription> actuators;  ///< one entry per actuator
  bool real_equipment = false;                 ///< false: simulated
  /// A device outside the program stops the rig if write() stops.
  bool hardware_watchdog = false;
  double shortest_tick = 0.0;  ///< [s]; 0: no limit
  /// Number of load cells at force-only interface DOFs, read into Measurement::reaction. A
  /// test with fewer such DOFs uses the first ones.
  int reactions = 0;
  /// Further measured channels, for the record: the end of each name ("oil_C") and the
  /// unit.
  Channels extra{};
  /// Of those, the last ones are digital inputs with a freshness of their own: 1 closed,
  /// 0 open, NaN not read in this tick. Any other channel with the unit 0/1 is as fresh as
  /// the measurement.
  int inputs = 0;
  std::vector<std::string> outputs{};  ///< names of its digital outputs
};

/// A rig, real or simulated. In each tick a site calls read() once and then write() once.
///
/// Thread: read(), write() and auxiliary_channels() on the thread that ticks; they do not
/// allocate, lock, log or block. hold() and diagnostic_message() on any thread, at any
/// time.
class SiteAdapter {
 public:
  virtual ~SiteAdapter() = default;

  /// Returns the properties of the rig. Set-up only.
  virtual RigDescription description() const = 0;

  /// Prepares the rig for a run. On any thread; may allocate and block.
  /// @throws std::exception if the rig cannot run with these settings
  virtual void prepare(const RigRun& run) = 0;

  /// Reads the transducers: the effect of all drives so far. The first read of a run finds
  /// the rig at rest at its present position; with each further read a simulated rig
  /// advances by one tick.
  /// @param now     session time of this tick: a whole number of ticks since the start of
  /// the run
  /// @param sensed  receives the measurement; a force is the one needed to hold the
  /// specimen, +K·d
  virtual AdapterStatus read(TimePoint now, Measurement& sensed) noexcept = 0;

  /// Sets the drive of each servo loop.
  /// @param drive  one entry per actuator [m | rad]
  virtual AdapterStatus write(const ActuatorVector& drive) noexcept = 0;

  /// Stops the rig at its present position and keeps the pressure. In any state, any number
  /// of times, on any thread, also while another function runs or hangs. A write() that is
  /// under way must not move the rig afterwards.
  virtual void hold() noexcept = 0;

  /// Returns the rig's own description of its last fault, as the end of a sentence; empty
  /// if none. On any thread, also during a tick; may allocate.
  virtual std::string diagnostic_message() const { return {}; }

  /// Returns the values of the further channels at the last read.
  virtual std::span<const double> auxiliary_channels() const noexcept { return {}; }

  /// Returns the drive that the equipment's own controller has in force, as of the last
  /// read: one entry per actuator [m | rad]; empty if the equipment does not report it.
  virtual std::span<const double> drive_in_force() const noexcept { return {}; }

  /// Returns the number of consecutive reads, the last one included, that had no fresh
  /// measurement and returned an older one: drives written meanwhile may not have arrived.
  virtual int stale_reads() const noexcept { return 0; }

  /// Returns whether read() and write() trip without reaching the equipment, because
  /// another thread took it over; the caller may be the thread that hung in a call.
  virtual bool taken_over() const noexcept { return false; }

  /// Returns whether what drives the rig responds, as of the last call. If not, the rig was
  /// asked to hold, and nothing confirms that it does. On any thread.
  virtual bool responds() const noexcept { return true; }

  /// Returns what the host has refused to what drives the rig since prepare(), a sentence
  /// each: a priority, a CPU, locked memory. It works without them. While no thread ticks.
  virtual std::vector<std::string> host_refusals() const { return {}; }

  /// Returns the accelerations of the specimen, as of the last read: one entry per
  /// controlled interface DOF, in the order of the layout, relative to the specimen's base
  /// [m/s² | rad/s²]; empty if the rig has no accelerometers.
  virtual std::span<const double> accelerations() const noexcept { return {}; }

  /// Returns the interlock of the site's file that is active as of the last read.
  virtual ActiveInterlock active_interlock() const noexcept { return {}; }

  /// Sets the digital outputs, bit 0 the first of RigDescription::outputs, 1: closed. On
  /// any thread, at any time; neither blocks nor allocates.
  virtual void set_outputs(std::uint32_t /*closed*/) noexcept {}

  /// Tells the equipment what the site does, by the outputs that the site's file maps. As
  /// set_outputs().
  virtual void report(SiteSignals /*signals*/) noexcept {}

  /// Writes the whole state of a simulated rig; nothing for real equipment.
  virtual void save(SnapshotWriter& snapshot) const = 0;
  /// Reads the state that save() wrote.
  /// @throws std::out_of_range if the snapshot is shorter than the state
  virtual void restore(SnapshotReader& snapshot) = 0;

  /// Makes the rig safe to approach, as far as its driver can: releases its pressure. The
  /// rig may move, and its drive in force is unknown afterwards. May block; on no thread
  /// that ticks, and only while none does. prepare() takes the rig up again.
  /// @returns false if the driver offers nothing of the kind: nothing was done
  virtual bool release() { return false; }
};

}  // namespace trestle
