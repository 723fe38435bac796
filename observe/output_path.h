#pragma once

#include <string>

namespace trestle {

/// Where the parts of `path` are gathered until it is complete: in the same folder, so that
/// the last act is a rename.
std::string temporary_path(const std::string& path);

/// One sentence: the file, why it cannot be written, what to do.
/// @param error  errno; 0: the HDF5 library refused a name before it came to writing
std::string write_failure(const std::string& path, int error);

}  // namespace trestle
