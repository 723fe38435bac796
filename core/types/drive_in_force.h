#pragma once

#include "core/types/actuator_vector.h"

namespace trestle {

/// What a rig was given last, and how it stood just before that: where a control loop goes
/// on from.
struct DriveInForce {
  ActuatorVector stroke;    ///< whole target of that tick [m | rad]
  ActuatorVector command;   ///< for it [m | rad]
  ActuatorVector drive;     ///< what was written [m | rad]
  ActuatorVector measured;  ///< by the read before [m | rad]; NaN: it may not be in force
};

}  // namespace trestle
