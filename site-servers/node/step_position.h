#pragma once

#include <cstdint>

#include "core/types/message.h"

namespace trestle::site_node {

/// How far a site is in the steps of its session.
struct StepPosition {
  std::int64_t accepted = kInitialStep;  ///< given to the control loop last
  std::int64_t executed = kInitialStep;  ///< answered last, or missed
  std::int64_t ticks = 0;                ///< control ticks of the session, closed
  /// A target of the session may have moved the rig, in this process or an earlier one.
  bool aimed = false;
};

}  // namespace trestle::site_node
