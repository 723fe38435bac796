#pragma once

#include <string>
#include <vector>

#include "core/types/limits.h"
#include "core/types/message.h"
#include "site-servers/safety/safety_gate.h"

namespace trestle {

/// Before arming: does this gate hold back what is beyond the limits that both ends agreed
/// on? Tries a copy of it with a drive or a measurement one millionth beyond each of them,
/// in either direction, and with a number that is none. Nothing moves. (The energy error is
/// not the gate's.)
///
/// @param gate    as it will run
/// @param agreed  of the contract, one per actuator
/// @param tick    control tick δt of the gate [s], > 0
/// @returns  the first that went through, as a sentence; empty: none did
std::string refusal_of_rehearsal(const SafetyGate& gate, const RigLimits& agreed,
                                 const std::vector<ActuatorDescription>& actuators,
                                 double tick);

}  // namespace trestle
