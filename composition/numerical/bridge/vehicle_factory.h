#pragma once

#include <string>
#include <vector>

#include "numerical/bridge/linear_vehicle.h"

namespace trestle::config {
class MultiBody;
class QuarterVehicle;
class Specimen;
}  // namespace trestle::config

namespace trestle::composition {

/// A vehicle as configured.
struct NamedVehicle {
  bridge::LinearVehicleSettings settings;
  std::vector<std::string> contacts;  ///< names of its contacts; empty: one without a name
  std::vector<std::string> free;      ///< names of its free DOFs
};

/// One contact, then bogie and body.
NamedVehicle make_vehicle(const config::QuarterVehicle& vehicle, const std::string& path);

/// @throws SettingError for a contact that is no DOF, matrices that do not fit, a free DOF
///         without mass
NamedVehicle make_vehicle(const config::MultiBody& vehicle, const std::string& path);

/// Makes the vehicle on a table as part of the undivided structure.
/// @param dofs  of its site's interface
/// @throws SettingError for a specimen that is no linear vehicle
NamedVehicle make_vehicle(const config::Specimen& specimen, int dofs,
                          const std::string& path);

}  // namespace trestle::composition
