#pragma once

#include <string>

#include "adapters/plugin/adapter_loader.h"

namespace trestle::driver {

/// The functions of a plug-in as the conformance kit calls them, with each rig in a driver
/// process: open() starts one, close() ends it. One table exists at a time; describe() and
/// describe_channel() throw if the driver does not answer.
class DriverTable {
 public:
  /// @param file  the plug-in, which is loaded, and not opened
  /// @throws SettingError  it cannot be loaded, or no folder for the drivers can be made
  explicit DriverTable(const std::string& file);
  /// Removes the folder of the drivers, which have ended.
  ~DriverTable();
  DriverTable(const DriverTable&) = delete;
  DriverTable& operator=(const DriverTable&) = delete;

  const trestle_adapter_v1& table() const noexcept { return table_; }

 private:
  plugin::LoadedAdapter plugin_;
  trestle_adapter_v1 table_;
};

}  // namespace trestle::driver
