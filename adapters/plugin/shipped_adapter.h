#pragma once

#include <string>

namespace trestle::plugin {

/// The file of a plug-in that came with the program: beside its libraries where it is
/// installed, in the build tree where it is not.
/// @param path  of the field that names it
/// @throws SettingError  if no shipped plug-in has that name
std::string bundled_adapter_path(const std::string& name, const std::string& path);

}  // namespace trestle::plugin
