#pragma once

#include <string>
#include <vector>

namespace trestle {

/// Brings the sites' journals of a run into its folder, as `<site>.db`, each one file.
///
/// Looks into each of `site_dirs` and the folders right in it for journals of sites of the
/// run's session; an older copy of the same site is written over.
///
/// @throws std::runtime_error where a folder has no journal of a site, or only of other
///         sessions (both sessions are named)
void collect(const std::string& run_dir, const std::vector<std::string>& site_dirs);

}  // namespace trestle
