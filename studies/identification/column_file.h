#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace trestle::identification {

/// The named columns of a CSV file with a head, or the named 1-D datasets of an HDF5 file
/// (.h5, .hdf5), all of one length and finite.
///
/// @param group  of the datasets; a CSV file has none
/// @returns the columns in the order of the names, or a sentence that begins with the file
Result<std::vector<std::vector<double>>> read_columns(
    const std::string& file, const std::string& group,
    const std::vector<std::string>& names);

}  // namespace trestle::identification
