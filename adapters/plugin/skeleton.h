#pragma once

#include <string>
#include <vector>

namespace trestle::plugin {

/// Writes the skeleton of a plug-in: a rig that works, its CMakeLists.txt, its test.
/// @param name    of the plug-in: a small letter, then small letters, digits, underscores
/// @param folder  is made, and must not exist
/// @returns the files, in the order in which a person reads them
/// @throws std::runtime_error  if the name cannot be, or a file cannot be written
std::vector<std::string> write_skeleton(const std::string& name, const std::string& folder);

}  // namespace trestle::plugin
