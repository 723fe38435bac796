#pragma once

#include <string>

namespace trestle::config {
class Site;
class SiteFile;
}  // namespace trestle::config

namespace trestle::composition {

/// The identity of a rig, independent of the file and folder from which it is served.
struct RigIdentity {
  std::string site;
  /// "plugin udp_target at 10.0.0.7:5001", "plugin /lab/rig.so of site west"
  std::string rig;
  /// One text for every spelling of the adapter and its address; empty: the rig is a
  /// calculation, which each process makes for itself.
  std::string equipment;
};

/// Asks the resolver for the address of the rig: seconds.
RigIdentity identity_of(const config::SiteFile& file);
RigIdentity identity_of(const config::Site& site);

/// Returns the place of the rig in this host's state folder.
/// @throws std::runtime_error  there is no state folder
std::string place_of(const RigIdentity& identity);
/// Returns the folder where sites of the rig and its driver process meet.
/// @throws std::runtime_error  there is no state folder
std::string driver_folder_of(const RigIdentity& identity);

}  // namespace trestle::composition
