#pragma once

#include <string>
#include <vector>

#include "core/types/message.h"
#include "numerical/node/known_sensor_noise.h"

namespace trestle::integrator_node {

/// A site as record and criteria see it: what its columns are called, and how many.
struct AccountedSite {
  std::string name;
  InterfaceLayout layout;
  std::vector<ActuatorDescription> actuators;
  KnownSensorNoise noise = {};  ///< of its rig; empty: not known
  bool relative = false;        ///< as of SiteSpecification
};

}  // namespace trestle::integrator_node
