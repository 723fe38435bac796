#pragma once

#include <string>

#include "numerical/bridge/girders.h"

namespace trestle::config {
class Bridge;
}  // namespace trestle::config

namespace trestle::composition {

/// @param path  of the bridge in the configuration
/// @throws SettingError with all problems
bridge::Girders make_girders(const config::Bridge& bridge, const std::string& path);

/// @throws SettingError if the form does not fit the girders
bridge::BridgeModes make_modes(const config::Bridge& bridge, const bridge::Girders& girders,
                               const std::string& path);

/// ζ of each mode.
/// @throws SettingError for a model that does not fit, a ratio of one or more
Eigen::VectorXd make_damping(const config::Bridge& bridge, const bridge::BridgeModes& modes,
                             const std::string& path);

}  // namespace trestle::composition
