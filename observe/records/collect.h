#pragma once

#include <string>
#include <vector>

namespace trestle::records {

/// Brings the sites' journals of a run into its folder, as `<site>.db`, each one file.
///
/// Looks into each of `site_dirs` and the folders right in it for journals of sites of the
/// run's session; an older copy of the same record is written over (put_record).
///
/// @throws std::runtime_error if a folder has no journal of a site, or only of other
///         sessions (both sessions are named)
void collect(const std::string& run_dir, const std::vector<std::string>& site_dirs);

/// Moves the copy of a site's record to its place, durably. Overwrites the existing file if
/// the copy contains all of it; otherwise sets the file aside in a numbered folder.
/// @param draft  in the folder of `target`
/// @throws std::runtime_error with one sentence
void put_record(const std::string& draft, const std::string& target);

}  // namespace trestle::records
