#pragma once

#include <string>

#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"

namespace trestle::session {

/// Returns the place of a fault's limit in `limits`: `actuators[0].rate`. Empty if the
/// fault has no limit.
std::string limit_path(const Fault& fault);

/// Returns true if these limits state the limit of the fault.
bool defines_limit(const Fault& fault, const RigLimits& limits,
                   const InterfaceLayout& layout);

}  // namespace trestle::session
