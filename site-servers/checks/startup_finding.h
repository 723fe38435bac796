#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/types/fault.h"
#include "core/types/message.h"

namespace trestle::checks {

/// The result of the start-up checks: all numbers from which its sentence is composed.
struct StartupFinding {
  enum class What : std::uint8_t {
    kNothing,
    kAdapter,
    kInterlock,
    kGateFault,
    kZeroDisplacement,
    kZeroForce,
    kDisplacementAway,
    kDisplacementNone,
    kForceAway,
    kForceNone,
  };
  What what = What::kNothing;
  int actuator = -1;
  int other = -1;  ///< actuator whose transducer changed most instead; -1: none
  double value = 0.0;
  double other_value = 0.0;
  double limit = 0.0;
  Fault fault = {};
  int moving = -1;      ///< actuator that was moved; -1: none was yet
  double travel = 0.0;  ///< of that [m | rad]
};

/// Why the rig may not be armed, with actuator, number, limit and what to do. Empty: it
/// may.
std::string refusal_of(const StartupFinding& found,
                       const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle::checks
