#pragma once

#include <nlohmann/json.hpp>

#include "observe/live/actuator_view.h"

namespace trestle::live {

/// One entry of `actuators` in `trestle status --json`.
nlohmann::ordered_json actuator_json(const ActuatorView& actuator);

/// "displacement", "tracking_error", ...
const char* limit_key(LimitKind limit) noexcept;

}  // namespace trestle::live
