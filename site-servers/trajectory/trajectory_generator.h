#pragma once

#include <cstdint>

#include "core/base/snapshot.h"
#include "core/types/motion.h"

namespace trestle::trajectory {

/// Progress of a motion, for display.
enum class TrajectoryPhase : std::uint8_t {
  kAtTarget,    ///< no target yet, or the last one is where it stays
  kMoving,      ///< towards a target that is known
  kPredicting,  ///< the next target is on its way
  kSlowing,     ///< it is late
  kHolding,     ///< it is so late that nothing moves any more
};

/// Computes the motion of the interface from target to target, tick by tick; each execution
/// mode has its own. In interface coordinates; rates are those of the control tick's own
/// time.
///
/// Lives on the real-time thread.
class TrajectoryGenerator {
 public:
  virtual ~TrajectoryGenerator() = default;

  /// The rig is at `displacement` [m | rad]: the first step begins there.
  virtual void start(const InterfaceVector& displacement) noexcept = 0;

  /// The next step's target. Its rates are those of the structure's time.
  /// @param ticks  from now until the target is due; ignored by a motion that chooses its
  ///               own pace
  virtual void aim(const InterfaceMotion& target, int ticks) noexcept = 0;

  /// The next tick.
  virtual InterfaceMotion next() noexcept = 0;

  /// The last next() was the whole target of the step: the read that follows closes it.
  /// From the aim() until then a step is open.
  virtual bool arrived() const noexcept = 0;

  /// For an open step: returns true if the next read belongs to the measurement.
  virtual bool measuring() const noexcept = 0;

  /// Returns true if only the measurement at a step's end represents the structure's
  /// motion, not the way to it.
  virtual bool timeless() const noexcept = 0;

  /// Returns the remaining ticks of the open step, at least.
  virtual int remaining_ticks() const noexcept = 0;

  virtual TrajectoryPhase phase() const noexcept = 0;

  /// Gives up what it was doing: the last tick's position is where it stays.
  virtual void hold() noexcept = 0;

  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle::trajectory
