#pragma once

#include <string>

#include "cli/verbs.h"

namespace trestle {

/// Returns true if the file is a laboratory's own: it says `site:` at its top, and no
/// `test:`.
bool is_site_file(const std::string& file);

/// `trestle check SITE.yaml`: reads and builds what the site server would, and loads its
/// plug-in without opening the rig, which another process may be driving.
/// @returns the exit code
/// @throws ConfigError with everything that is wrong at once
int check_site(const CheckOptions& options);

}  // namespace trestle
