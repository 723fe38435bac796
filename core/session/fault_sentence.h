#pragma once

#include <string>

#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"

namespace trestle {

/// One sentence for people: "rate 401 mm/s at actuator 1 is above its limit 400 mm/s".
/// For the cold path only.
std::string fault_sentence(const Fault& fault, const InterfaceLayout& layout,
                           const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle
