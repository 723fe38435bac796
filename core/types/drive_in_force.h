#pragma once

#include "core/types/actuator_vector.h"

namespace trestle {

/// The last drive of a rig and its position immediately before it, from which a control
/// loop continues.
struct DriveInForce {
  ActuatorVector stroke;    ///< whole target of that tick [m | rad]
  ActuatorVector command;   ///< for it [m | rad]
  ActuatorVector drive;     ///< written drive [m | rad]
  ActuatorVector measured;  ///< by the read before [m | rad]; NaN: it may not be in force
};

}  // namespace trestle
