#pragma once

#include <string>

#include "composition/processes/rig_identity.h"

namespace trestle::composition {

/// The plug-in that a laboratory's file names.
struct SitePlugin {
  std::string site;      ///< empty: the plug-in is of no site's file
  std::string name;      ///< of one that came with the program; empty: it has a file alone
  std::string file;      ///< X.so
  std::string settings;  ///< lines `path: value`
  bool in_driver = false;  ///< its file says `isolation: process`, or nothing
};

/// Reads SITE.yaml for its plug-in alone; nothing is loaded.
/// @throws ConfigError with everything that is wrong, also if the site has no plug-in
SitePlugin plugin_of_site(const std::string& file);

/// The rig that the plug-in drives with these settings. Without a site and without an
/// address in the settings nobody knows which rig that is: `equipment` is empty.
RigIdentity identity_of(const SitePlugin& plugin);

}  // namespace trestle::composition
