#pragma once

#include <array>
#include <string>

namespace trestle::config {
class PluginAdapter;
}  // namespace trestle::config

namespace trestle::composition {

/// Settings of a plug-in that contain the address of its equipment.
inline constexpr std::array kAddressSettings{"target", "server", "address", "socket",
                                             "host",   "device", "port"};

/// Whether the plug-in's settings contain the address of its equipment.
bool has_address(const config::PluginAdapter& plugin);

/// Returns the rig of a plug-in, independent of the file and folder from which it is
/// served: "plugin udp_target at 10.0.0.7:5001", "plugin /lab/rig.so of site west".
std::string rig_of_plugin(const std::string& site, const config::PluginAdapter& plugin);

/// Returns "-" and 16 digits, others for another rig.
std::string rig_digits(const std::string& rig);

/// Returns the folder where sites of a rig and its driver process meet, in this host's
/// state folder.
/// @throws std::runtime_error  there is no state folder
std::string driver_folder(const std::string& rig);

}  // namespace trestle::composition
