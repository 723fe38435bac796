#pragma once

#include <memory>
#include <string>

#include "core/ports/loading_frame.h"
#include "core/types/interface_layout.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"

namespace trestle::composition {

/// The interface DOFs of a site, force-only ones last, without limits.
InterfaceLayout make_interface_layout(const config::Site& site);

/// The loading frame of a site of the test.
/// @throws SettingError if it cannot move the site's interface
std::unique_ptr<const LoadingFrame> loading_frame(const config::Site& site,
                                                  const std::string& path);

/// The loading frame of a laboratory's own file, which does not know the test's interface:
/// without a matrix there are as many interface DOFs as actuators.
/// @throws SettingError if nothing says how many there are
std::unique_ptr<const LoadingFrame> loading_frame(const config::SiteFile& file);

}  // namespace trestle::composition
