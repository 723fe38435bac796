#pragma once

#include <string>

#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"

namespace trestle {

/// Formats one sentence: "rate 401 mm/s at actuator 1 is above its limit 400 mm/s". For the
/// cold path only.
std::string format_fault(const Fault& fault, const InterfaceLayout& layout,
                         const std::vector<ActuatorDescription>& actuators);

/// Of a target that is refused, nothing having moved: "target 51 mm at floor.x is above its
/// limit 50 mm", "the target would take actuator 1 to 61 mm, above its limit 60 mm".
std::string refused_target_sentence(const Fault& fault, const InterfaceLayout& layout,
                                    const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle
