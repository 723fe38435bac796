#pragma once

#include <string>

#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"

namespace trestle {

/// Where in `limits` the limit of a fault is written: `actuators[0].rate`. Empty where the
/// fault is of no limit.
std::string limit_path(const Fault& fault);

/// Whether these limits state the very one that the fault is about.
bool defines_limit(const Fault& fault, const RigLimits& limits,
                   const InterfaceLayout& layout);

}  // namespace trestle
