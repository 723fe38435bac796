#pragma once

#include <string>

#include "core/math/plant_model.h"
#include "core/math/state_space.h"

namespace trestle::config {
class BesselLag;
class IdentifiedActuator;
class ObservedPlant;
class ServoHydraulic;
class StateSpaceModel;
class TransferFunction;
class TransferMatrix;
class ZerosPolesGain;
}  // namespace trestle::config

namespace trestle::composition {

/// From the configuration to linear systems whose inputs are the drives and whose outputs
/// are the measured displacements of `actuators` actuators. `path` is where the message
/// stands; every function throws SettingError with the path of the field below it.

math::StateSpace make_state_space(const config::StateSpaceModel& model, int actuators,
                                  const std::string& path);

math::StateSpace make_transfer(const config::ZerosPolesGain& model,
                               const std::string& path);

math::StateSpace make_transfer(const config::TransferFunction& model,
                               const std::string& path);
math::StateSpace make_transfer(const config::ServoHydraulic& model,
                               const std::string& path);
math::StateSpace make_transfer(const config::BesselLag& model, const std::string& path);

/// Without its delay.
math::StateSpace make_transfer(const config::IdentifiedActuator& model,
                               const std::string& path);

math::StateSpace make_transfer(const config::TransferMatrix& matrix, int actuators,
                               const std::string& path);

math::ObservedPlantSettings make_observed_plant(const config::ObservedPlant& plant,
                                                int actuators, const std::string& path);

}  // namespace trestle::composition
