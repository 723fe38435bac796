#pragma once

#include <string>
#include <vector>

#include "core/base/setting_error_collector.h"

namespace trestle::config {
class Matrices;
}  // namespace trestle::config

namespace trestle::composition {

/// Returns the names of the rows of imported matrices: `dofs`, or those of the file
/// `dof_map`.
///
/// Each line of the file holds row, node and DOF (`x` to `rz`) between commas or
/// semicolons, in any order of rows; a first line whose row is no number is a head. The
/// lowest row is 0 or 1.
/// @param path  of the matrices in the configuration, for errors
/// @returns the names in the order of the rows; adds what is wrong to `problems`
std::vector<std::string> matrix_dofs(const config::Matrices& matrices,
                                     const std::string& path,
                                     SettingErrorCollector& problems);

}  // namespace trestle::composition
