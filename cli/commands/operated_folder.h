#pragma once

#include <string>

namespace trestle::cli {

/// The folder that a person means who names a run's folder, a site's, or a site. A folder
/// that is served comes before one that is only there, and the working directory before
/// what this host knows of its rigs. @returns empty: there is none
std::string operated_folder(const std::string& where);

/// The sentence for one that is not there.
std::string no_folder(const std::string& where);

}  // namespace trestle::cli
