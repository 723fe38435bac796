#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/ports/site_adapter.h"
#include "site-servers/node/loop_errand.h"
#include "site-servers/node/loop_health.h"

namespace trestle::site_node {

/// Reads real equipment again and again before it is armed, on the thread of its control
/// loop, so that people see what its transducers read. Nothing is written to the rig, it is
/// not asked to hold, and a reading that fails is no fault: nothing of it is reported.
class RestReadings final : public LoopErrand {
 public:
  /// @param rig        outlives any tick
  /// @param actuators  of the rig
  /// @param reactions  load cells besides
  /// @param health     takes the readings; the same
  /// @param tick       control tick δt
  RestReadings(SiteAdapter& rig, int actuators, int reactions, LoopHealth& health,
               Duration tick)
      : rig_(rig),
        health_(health),
        tick_(tick),
        actuators_(actuators),
        sensed_(Measurement::zero(actuators, reactions)) {}

  /// @returns true: it is ended from outside
  bool tick(std::int64_t number) noexcept override;
  bool drives() const noexcept override { return false; }

 private:
  bool is_sound() const noexcept;

  SiteAdapter& rig_;
  LoopHealth& health_;
  Duration tick_;
  Eigen::Index actuators_;
  Measurement sensed_;
};

}  // namespace trestle::site_node
