#pragma once

#include <memory>
#include <string>

#include "core/ports/site_adapter.h"

namespace trestle::config {
class Site;
class SiteFile;
}  // namespace trestle::config

namespace trestle::composition {

/// Makes the rig of a site that lives in this process.
/// @param path  of the site in the configuration
/// @throws SettingError with the path of the field
std::unique_ptr<SiteAdapter> make_rig(const config::Site& site, const std::string& path);

/// Makes the rig that a laboratory's own file describes.
/// @throws SettingError with the path of the field
std::unique_ptr<SiteAdapter> make_rig(const config::SiteFile& file);

/// Makes the same rig without opening it, if a plug-in drives it: only its description is
/// of use.
/// @returns null if the plug-in says nothing of a rig that is not open
/// @throws SettingError with the path of the field
std::unique_ptr<SiteAdapter> describe_rig(const config::SiteFile& file);

}  // namespace trestle::composition
