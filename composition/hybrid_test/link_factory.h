#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/network/link_settings.h"

namespace trestle::config {
class Link;
}  // namespace trestle::config

namespace trestle::composition {

/// Makes a link from the configuration: the message's values replace those of its profile.
///
/// @param seed  of the test; the message's own goes before it
/// @param name  of the site or relay: links of one seed differ by it
/// @param path  of the message
/// @throws SettingError with the path of the field below it
network::LinkSettings make_link(const config::Link& link, std::uint64_t seed,
                                std::string_view name, const std::string& path);

}  // namespace trestle::composition
