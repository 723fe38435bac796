#pragma once

#include <span>
#include <string_view>

#include "core/network/link_settings.h"

namespace trestle::network {

struct LinkProfile {
  std::string_view name;
  LinkSettings settings;
};

/// Networks that people know by name (docs/howto/emulate-a-network.md).
std::span<const LinkProfile> link_profiles();

}  // namespace trestle::network
