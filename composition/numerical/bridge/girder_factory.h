#pragma once

#include <string>

#include "numerical/bridge/girders.h"

namespace trestle {

namespace config {
class Bridge;
}

/// @param path  of the bridge in the configuration
/// @throws SettingError with all problems
Girders make_girders(const config::Bridge& bridge, const std::string& path);

/// @throws SettingError if the form does not fit the girders
BridgeModes make_modes(const config::Bridge& bridge, const Girders& girders,
                       const std::string& path);

/// ζ of each mode.
/// @throws SettingError for a model that does not fit, a ratio of one or more
Eigen::VectorXd make_damping(const config::Bridge& bridge, const BridgeModes& modes,
                             const std::string& path);

}  // namespace trestle
