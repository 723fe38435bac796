#pragma once

#include <optional>
#include <string>

namespace trestle::host {

/// Text of a file of /proc or /sys, without the line end behind it; nothing: this host has
/// no such file, or we may not read it.
std::optional<std::string> system_file(const std::string& path);

}  // namespace trestle::host
