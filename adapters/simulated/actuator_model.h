#pragma once

#include "core/base/snapshot.h"
#include "core/types/motion.h"

namespace trestle::simulated {

/// Actuators with their servo loops: the motion that follows a drive.
///
/// A drive is held from the tick at which it is written until the next one; advance() moves
/// on to that next tick and tells the motion there, just before the drive may change. So an
/// ideal actuator is exactly at the drive that was written one tick before.
class ActuatorModel {
 public:
  virtual ~ActuatorModel() = default;

  virtual int actuators() const noexcept = 0;

  /// Before a run: back to rest at zero, and from now on in ticks of `tick` [s].
  virtual void prepare(double tick) = 0;

  /// @param drive   held over the tick that ends here [m | rad]
  /// @param stroke  motion at its end; of the right size already
  virtual void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept = 0;

  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle::simulated
