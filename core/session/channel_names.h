#pragma once

#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle {

/// The names of exported columns are a promise to everyone's scripts; they are made here.

/// `<prefix>.<quantity>_m | _rad`: a displacement.
Channel motion_channel(const std::string& prefix, const char* quantity, DofKind kind);
/// `<prefix>.force_N | _Nm`.
Channel force_channel(const std::string& prefix, DofKind kind);

/// Per controlled DOF `<site>.<dof>.target_m`.
Channels target_channels(const std::string& site, const InterfaceLayout& layout);
/// Per controlled DOF `<site>.<dof>.target_m | measured_m | force_N`, then per force-only
/// one `<site>.<dof>.force_N`, then per actuator `<site>.<actuator>.target_m | command_m |
/// measured_m | force_N`.
Channels answer_channels(const std::string& site, const InterfaceLayout& layout,
                         const std::vector<ActuatorDescription>& actuators);

/// Text that gives the same double again: for facts of a record.
std::string format_exact(double value);

}  // namespace trestle
