#pragma once

#include <string>

namespace trestle::composition {

/// The plug-in that a laboratory's file names.
struct SitePlugin {
  std::string file;      ///< X.so
  std::string settings;  ///< lines `path: value`
};

/// Reads SITE.yaml for its plug-in alone; nothing is loaded.
/// @throws ConfigError with everything that is wrong, also if the site has no plug-in
SitePlugin plugin_of_site(const std::string& file);

}  // namespace trestle::composition
