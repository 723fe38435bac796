#pragma once

#include <memory>
#include <string>

#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::plugin {

/// A plug-in in memory, and the table of functions that it gave. Only this knows dlopen.
class LoadedAdapter {
 public:
  /// @param file  the shared object
  /// @param path  of the field in the configuration that names it
  /// @throws SettingError  if the file is missing or is no shared object, has no entry,
  ///         or speaks another version of site_adapter_abi.h: what is wrong, and what would
  ///         be right
  LoadedAdapter(std::string file, const std::string& path);

  /// A copy: what a plug-in of an earlier release does not have is null.
  const trestle_adapter_v1& table() const noexcept { return table_; }
  const std::string& file() const noexcept { return file_; }
  /// The table whose open() reads the settings and opens no rig; null: only the plug-ins
  /// that come with the program have one (plugin_entry.h).
  const trestle_adapter_v1* settings_table() const noexcept { return settings_table_; }

 private:
  struct Unloader {
    void operator()(void* handle) const noexcept;
  };
  std::string file_;
  std::unique_ptr<void, Unloader> handle_;
  trestle_adapter_v1 table_{};
  const trestle_adapter_v1* settings_table_ = nullptr;
};

}  // namespace trestle::plugin
