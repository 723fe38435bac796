#pragma once

#include "core/types/actuator_vector.h"
#include "core/types/interface_vector.h"

namespace trestle {

/// The target position of the specimen at a step: one entry per controlled interface DOF.
struct InterfaceMotion {
  InterfaceVector displacement;  ///< [m | rad]
  InterfaceVector velocity;      ///< [m/s | rad/s]
  InterfaceVector acceleration;  ///< [m/s² | rad/s²]

  static InterfaceMotion zero(Eigen::Index dofs) {
    return {InterfaceVector::Zero(dofs), InterfaceVector::Zero(dofs),
            InterfaceVector::Zero(dofs)};
  }
};

/// The target position of the actuators at one control tick.
struct ActuatorMotion {
  ActuatorVector displacement;  ///< [m | rad]
  ActuatorVector velocity;      ///< [m/s | rad/s]
  ActuatorVector acceleration;  ///< [m/s² | rad/s²]

  static ActuatorMotion zero(Eigen::Index actuators) {
    return {ActuatorVector::Zero(actuators), ActuatorVector::Zero(actuators),
            ActuatorVector::Zero(actuators)};
  }
};

/// The readings of a rig's transducers in one read.
struct Measurement {
  ActuatorVector displacement;  ///< [m | rad]
  ActuatorVector force;         ///< needed to hold the specimen there: +K·d [N | N·m]
  /// By load cells of their own at the force-only interface DOFs, in the order of the
  /// layout: needed to hold the specimen as it is there [N | N·m].
  InterfaceVector force_only{};

  static Measurement zero(Eigen::Index actuators, Eigen::Index reactions = 0) {
    return {ActuatorVector::Zero(actuators), ActuatorVector::Zero(actuators),
            InterfaceVector::Zero(reactions)};
  }
};

}  // namespace trestle
