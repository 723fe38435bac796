#pragma once

#include <string>
#include <vector>

#include "adapters/plugin/site_adapter_abi.h"
#include "core/base/setting_error.h"

namespace trestle::plugin {

/// A plug-in that has opened its rig: in this process, or in a driver process behind a
/// table of the same functions.
class OpenPlugin {
 public:
  virtual ~OpenPlugin() = default;

  virtual const trestle_adapter_v1& table() const noexcept = 0;
  /// What each function of the table receives. close() is the caller's task.
  virtual void* rig() const noexcept = 0;
  /// Whether the functions reach the rig: false if its driver is gone, or hangs.
  virtual bool responds() const noexcept { return true; }
  /// What the host has refused to the process that calls the plug-in, a sentence each.
  virtual std::vector<std::string> host_refusals() const { return {}; }
};

/// Makes the error of a plug-in that refuses to open, at the setting that it names, if it
/// names one.
/// @param words  of the plug-in
/// @param name   of the plug-in, for sentences
/// @param path   of the adapter in the configuration
SettingError refused_to_open(const std::string& words, const std::string& settings,
                             const std::string& name, const std::string& path);

}  // namespace trestle::plugin
