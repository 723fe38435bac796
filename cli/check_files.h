#pragma once

#include <optional>

#include "cli/verbs.h"

namespace trestle {

/// Checks a file that is no test: a site, a link, a study, a gateway, or the rig that one
/// of them includes.
/// @returns the exit code; nothing if the file is a test, or of no kind that is known here
/// @throws ConfigError with everything that is wrong in the file
std::optional<int> check_other_file(const CheckOptions& options);

}  // namespace trestle
