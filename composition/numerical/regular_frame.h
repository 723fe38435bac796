#pragma once

#include <string>

namespace trestle::config {
class Frame;
}  // namespace trestle::config

namespace trestle::composition {

/// The frame with the nodes, members, supports, masses and diaphragms of its regular part
/// behind its own.
/// @param path  of the frame in the configuration, for errors
/// @throws SettingError if the regular part is incomplete, or `without` names no member of
///         it
config::Frame with_regular_part(const config::Frame& frame, const std::string& path);

}  // namespace trestle::composition
