#pragma once

#include "cli/verbs.h"

namespace trestle {

/// `trestle check SITE.yaml`: reads and builds what the site server would, and loads its
/// plug-in without opening the rig, which another process may be driving.
/// @returns the exit code
/// @throws ConfigError with everything that is wrong at once
int check_site(const CheckOptions& options);

}  // namespace trestle
