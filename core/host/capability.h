#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trestle::host {

/// Those of Linux that a control thread needs, by their numbers in <linux/capability.h>.
enum class Capability { kIpcLock = 14, kSysNice = 23 };

/// This process has it now.
bool has_capability(Capability capability);

/// The mask of effective capabilities in the text of /proc/self/status; nothing: not there.
std::optional<std::uint64_t> effective_capabilities(std::string_view status);

}  // namespace trestle::host
