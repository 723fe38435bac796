#pragma once

#include <string>

#include "adapters/plugin/site_adapter_abi.h"
#include "core/ports/site_adapter.h"

namespace trestle {

/// What a plug-in says that its rig is, as the program understands it.
struct PluginDescription {
  RigDescription rig;
  trestle_rig_capabilities capabilities{};
};

/// Asks the plug-in.
/// @param path  of the adapter in the configuration
/// @throws SettingError  where what it says cannot be: numbers out of range, flags that are
///         neither 0 nor 1, texts without an end
PluginDescription describe(const trestle_adapter_v1& table, void* rig,
                           const std::string& file, const std::string& path);

}  // namespace trestle
