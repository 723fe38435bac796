#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "core/base/time.h"
#include "core/types/actuator_vector.h"
#include "core/types/message.h"
#include "core/types/motion.h"
#include "core/types/record.h"

namespace trestle {

enum class AdapterStatus : std::uint8_t {
  kOk,
  kLate,     ///< no fresh measurement this tick: the values are the last
  kTripped,  ///< the rig's own protection acted: the run must stop
};

/// What a rig is told before a run.
struct RigRun {
  double tick = 0.0;  ///< control tick δt [s], > 0
  std::uint64_t seed =
      0;  ///< of all noise; with site, channel and tick it gives every value
  /// Ticks come by the wall clock: one that takes too long delays the next.
  bool timed = false;
};

/// What a rig says that it is.
struct RigDescription {
  std::vector<ActuatorDescription> actuators;
  bool real_equipment = false;
  bool hardware_watchdog = false;
  double shortest_tick = 0.0;  ///< [s]; 0: any
  /// Load cells at force-only interface DOFs, which it reads into Sensed::reaction. A test
  /// with fewer such DOFs uses the first ones.
  int reactions = 0;
  /// What it measures besides, for the record: the end of each name, "oil_C", and the unit.
  Channels extra{};
};

/// A rig, real or simulated, as a site sees it: one read() and then one write() per tick.
class SiteAdapter {
 public:
  virtual ~SiteAdapter() = default;

  virtual RigDescription description() const = 0;

  /// Before a run, on any thread; may allocate and take its time.
  /// @throws std::exception where the rig cannot run so
  virtual void prepare(const RigRun& run) = 0;

  /// What the drives of all ticks so far have done. The first read of a run finds the rig
  /// at rest where it is; from the second on a simulated rig has advanced by one tick.
  /// @param now  session time of this tick: a whole number of ticks from the run's start
  virtual AdapterStatus read(TimePoint now, Sensed& sensed) noexcept = 0;

  /// @param drive  what each servo loop shall do from now on [m | rad]
  virtual AdapterStatus write(const ActuatorVector& drive) noexcept = 0;

  /// Stop where you are, keep the pressure. In any state, any number of times, on any
  /// thread, also while another function runs or does not come back. A write() that was
  /// under way then moves nothing any more.
  virtual void hold() noexcept = 0;

  /// What the rig itself has to say about its last fault, as the end of a sentence; empty:
  /// nothing. On any thread, while another one ticks; may allocate.
  virtual std::string diagnosis() const { return {}; }

  /// The last read's values of the extra channels; on the thread that ticks.
  virtual std::span<const double> extra() const noexcept { return {}; }

  /// The drive that the equipment's own controller has in force, as it reports it with its
  /// measurements: one number per actuator [m | rad], by the last read; empty: it reports
  /// none.
  virtual std::span<const double> drive_in_force() const noexcept { return {}; }

  /// What accelerometers on the specimen read: one number per controlled interface DOF, in
  /// the order of the layout, relative to what the specimen stands on [m/s² | rad/s²], by
  /// the last read; empty: it has none.
  virtual std::span<const double> accelerations() const noexcept { return {}; }

  /// The whole state of a simulated rig. Real equipment has none to give.
  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
