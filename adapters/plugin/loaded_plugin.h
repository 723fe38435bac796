#pragma once

#include <string>

#include "adapters/plugin/adapter_loader.h"
#include "adapters/plugin/open_plugin.h"

namespace trestle::plugin {

/// Whether a plug-in opens the rig, or reads its settings alone.
enum class Opening { kRig, kSettings };

/// A plug-in in this process.
class LoadedPlugin final : public OpenPlugin {
 public:
  /// Loads the plug-in and opens the rig.
  /// @param file      the shared object
  /// @param settings  for the plug-in: lines `path: value`
  /// @param path      of the adapter in the configuration
  /// @param opening   kSettings: the rig is described and not opened; each use of it trips
  /// @throws SettingError  the plug-in cannot be loaded, or refuses its settings; also if
  ///         it opens its rig to read them
  LoadedPlugin(const std::string& file, const std::string& settings,
               const std::string& path, Opening opening = Opening::kRig);

  const trestle_adapter_v1& table() const noexcept override {
    return opening_ == Opening::kRig ? plugin_.table() : *plugin_.settings_table();
  }
  void* rig() const noexcept override { return rig_; }

 private:
  LoadedAdapter plugin_;
  Opening opening_;
  void* rig_;
};

}  // namespace trestle::plugin
