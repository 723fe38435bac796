#pragma once

#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "core/types/limits.h"

namespace trestle::live {

/// One actuator as a session contract describes it.
struct AgreedActuator {
  std::string name;
  DofKind kind = DofKind::kTranslation;
  ActuatorLimits limits;  ///< the tighter of both ends
};

/// Reads the actuators of a site from its session contract, as a record keeps it. A line
/// that is missing or is no number leaves its limit not set.
std::vector<AgreedActuator> read_agreed_actuators(const std::string& contract);

/// Returns the value of one line of a contract; empty if it is missing.
std::string contract_value(const std::string& contract, const std::string& key);

}  // namespace trestle::live
