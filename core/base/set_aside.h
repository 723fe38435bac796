#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trestle {

/// How the folders begin that hold what was set aside: `set-aside-1`, `set-aside-2`, ...
inline constexpr std::string_view kSetAside = "set-aside-";

/// Moves files of a folder, as they are, into a new numbered folder inside it. Nothing is
/// deleted or written over, and the power may be lost at any time.
/// @param names  inside `folder`; what is not there is passed over
/// @returns the new folder; empty: none of them was there, and none was made
/// @throws std::runtime_error with one sentence
std::string set_aside(const std::string& folder, const std::vector<std::string>& names);

/// A folder that set_aside() made, by its name alone.
bool is_set_aside(std::string_view name);

}  // namespace trestle
