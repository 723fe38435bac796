#pragma once

#include <string>

#include "numerical/excitation/source_signal.h"

namespace trestle {

namespace config {
class SourceInput;
}

/// @param path  of the message in the configuration
/// @throws SettingError where it has no amplitude or two, or its file cannot be read
SourceSignal make_source_signal(const config::SourceInput& input, const std::string& path);

}  // namespace trestle
