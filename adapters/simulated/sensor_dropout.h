#pragma once

#include "core/base/snapshot.h"
#include "core/types/motion.h"

namespace trestle::simulated {

/// When the transducers of a rig stay at their last readings.
struct DropoutTimes {
  double at = 0.0;        ///< [s] since the run began
  double duration = 0.0;  ///< [s], rounded to whole ticks, at least one
  double every = 0.0;     ///< [s] from one beginning to the next; 0: once
};

/// Readings that stay for a while, of all actuators at once: a converter that stands still.
class SensorDropout {
 public:
  explicit SensorDropout(DropoutTimes times) : times_(times) {}

  /// @param actuators  as many as every reading has
  void prepare(double tick, Eigen::Index actuators) noexcept;
  /// Of each reading first the displacement, then the force: replaced by the last ones that
  /// came through while the transducers stay. The first reading of a run always comes.
  void pass_displacement(ActuatorVector& displacement) noexcept;
  void pass_force(ActuatorVector& force) noexcept;
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  bool stays() const noexcept;

  DropoutTimes times_;
  double first_ = 0.0;  // these three in ticks
  double length_ = 0.0;
  double period_ = 0.0;  // 0: once
  double tick_ = 0.0;    // of the reading
  ActuatorVector displacement_;
  ActuatorVector force_;
};

}  // namespace trestle::simulated
