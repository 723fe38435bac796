#pragma once

#include <memory>
#include <string>

#include "core/ports/site_adapter.h"
#include "site-servers/node/site_settings.h"

namespace trestle::config {
class Site;
class SiteFile;
}  // namespace trestle::config

namespace trestle::composition {

/// The rig with the digital inputs that stop it, and the outputs that tell its equipment
/// what the site does; the rig itself if the file maps none.
/// @param path  of the site in the configuration, with its dot
/// @throws SettingError  an input or output that the rig does not have
std::unique_ptr<SiteAdapter> with_contacts(std::unique_ptr<SiteAdapter> rig,
                                           const config::Site& site,
                                           const std::string& path);
/// The same of a laboratory's own file.
std::unique_ptr<SiteAdapter> with_contacts(std::unique_ptr<SiteAdapter> rig,
                                           const config::SiteFile& file);

/// What they say in the contract of a test: one entry if there are interlocks, and one if
/// there are outputs. Needs no rig.
/// @param path  before the keys of the site, with its dot; empty: the file is its own
/// @throws SettingError  an input or output that is there twice; the reaction ramp without
/// a
///         safe action that moves
session::ContractEntries contact_entries(const config::Site& site, const std::string& path);
session::ContractEntries contact_entries(const config::SiteFile& file,
                                         const std::string& path);

}  // namespace trestle::composition
