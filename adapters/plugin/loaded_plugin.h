#pragma once

#include <string>

#include "adapters/plugin/adapter_loader.h"
#include "adapters/plugin/open_plugin.h"

namespace trestle::plugin {

/// A plug-in in this process.
class LoadedPlugin final : public OpenPlugin {
 public:
  /// Loads the plug-in and opens the rig.
  /// @param file      the shared object
  /// @param settings  for the plug-in: lines `path: value`
  /// @param path      of the adapter in the configuration
  /// @throws SettingError  the plug-in cannot be loaded, or refuses its settings
  LoadedPlugin(const std::string& file, const std::string& settings,
               const std::string& path);

  const trestle_adapter_v1& table() const noexcept override { return plugin_.table(); }
  void* rig() const noexcept override { return rig_; }

 private:
  LoadedAdapter plugin_;
  void* rig_;
};

}  // namespace trestle::plugin
