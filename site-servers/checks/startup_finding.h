#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ports/site_adapter.h"
#include "core/types/fault.h"

namespace trestle {

/// What the start-up checks of a rig found.
struct StartupFinding {
  enum class Result : std::uint8_t {
    kNothing,
    kAdapter,
    kGateFault,
    kZeroDisplacement,
    kZeroForce,
    kDisplacementAway,
    kDisplacementNone,
    kForceAway,
    kForceNone,
  };
  Result what = Result::kNothing;
  int actuator = -1;
  int other = -1;  ///< whose transducer changed most in its place; -1: none
  double value = 0.0;
  double other_value = 0.0;
  double limit = 0.0;
  Fault fault{};
};

/// The actuator that the checks move, and how far.
struct StartupMotion {
  int actuator = -1;    ///< -1: none yet
  double travel = 0.0;  ///< [m | rad]
};

/// Says why a rig may not be armed, with actuator, number, limit and what to do.
/// @returns empty: it may
std::string format_refusal(const StartupFinding& found, const StartupMotion& motion,
                           const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle
