#pragma once

#include "core/timing/wait_deadline.h"

namespace trestle::integrator_node {

/// The times that the parts of one integrator share.
struct RunTimes {
  TimePoint now{};                ///< of this tick
  TimePoint received{};           ///< the message that is handled
  TimePoint zero{};               ///< session time zero on the integrator's clock
  timing::WaitDeadline deadline;  ///< of the present wait
};

}  // namespace trestle::integrator_node
