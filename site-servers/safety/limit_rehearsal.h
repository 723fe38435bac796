#pragma once

#include <string>

#include "core/types/limits.h"

namespace trestle {

/// Before arming: shows on a gate of its own that each stated limit acts with these numbers
/// and this tick, for every actuator by itself: a millionth inside it passes, a millionth
/// outside it trips with that limit's fault at that actuator, a tracking error after its
/// dwell and not before. And that nothing but numbers passes, limits or none.
///
/// For set-up: it allocates, and waits out every dwell in ticks.
///
/// @param tick  control tick δt [s], > 0
/// @returns     empty, or a sentence about the first limit that would not act
/// @throws SettingError  where a limit is none, as SafetyGate
std::string rehearse_limits(const RigLimits& limits, double tick);

}  // namespace trestle
