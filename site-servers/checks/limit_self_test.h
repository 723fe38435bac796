#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/ports/loading_frame.h"
#include "core/types/interface_layout.h"
#include "core/types/interface_vector.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "site-servers/safety/energy_error_monitor.h"
#include "site-servers/safety/safety_gate.h"

namespace trestle::checks {

/// Before arming: do these hold back what is beyond the limits that both ends agreed on?
/// Tries copies of them with a drive or a measurement one millionth beyond each limit, in
/// either direction, and with a number that is none. Nothing moves.
///
/// @param gate    as it will run
/// @param energy  the same
/// @param agreed  of the contract, one per actuator
/// @param tick    control tick δt of the gate [s], > 0
/// @returns  the first that went through, as a sentence; empty: none did
std::string run_limit_self_test(const safety::SafetyGate& gate,
                                const safety::EnergyErrorMonitor& energy,
                                const RigLimits& agreed,
                                const std::vector<ActuatorDescription>& actuators,
                                double tick);

/// The same of the limits of the interface, and of a target that is none.
/// @param judge  why this displacement is no target for the site; no fault: it is one
std::string run_limit_self_test(
    const InterfaceLayout& agreed,
    const std::function<Fault(const InterfaceVector& target)>& judge);

/// The same of targets that take an actuator beyond its limit of displacement, as far as
/// the interface can take it there alone.
std::string run_limit_self_test(
    const LoadingFrame& frame, const RigLimits& agreed,
    const std::vector<ActuatorDescription>& actuators,
    const std::function<Fault(const InterfaceVector& target)>& judge);

}  // namespace trestle::checks
