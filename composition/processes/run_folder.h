#pragma once

#include <string>

namespace trestle::composition {

/// `two-site frame` becomes `two-site-frame`, for folders; of a longer name, the beginning.
std::string to_folder_name(const std::string& test);

/// `20261120T101500Z`, for folders only.
std::string utc_timestamp();

/// Makes `runs/<name>-<utc_timestamp()>`, with a number behind it where that was taken in
/// the same second.
/// @throws std::runtime_error
std::string new_run_folder(const std::string& name);

/// Makes the folder of a run if none has a journal yet.
/// @throws std::runtime_error if it cannot be made, or holds a record already
void make_run_folder(const std::string& folder);

}  // namespace trestle::composition
