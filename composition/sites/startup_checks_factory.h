#pragma once

#include <string>

#include "site-servers/checks/startup_check_settings.h"

namespace trestle::config {
class StartChecks;
}  // namespace trestle::config

namespace trestle::composition {

/// @param actuators  of the rig; one value stands for all of them
/// @throws SettingError with the field below `path`
checks::StartCheckSettings make_start_checks(const config::StartChecks& message,
                                             int actuators, const std::string& path);

}  // namespace trestle::composition
