#pragma once

#include <string>

#include "numerical/excitation/source_signal.h"

namespace trestle::config {
class SourceInput;
}  // namespace trestle::config

namespace trestle::composition {

/// @param path  of the message in the configuration
/// @throws SettingError where it has no amplitude or two, or its file cannot be read
excitation::SourceSignal make_source_signal(const config::SourceInput& input,
                                            const std::string& path);

}  // namespace trestle::composition
