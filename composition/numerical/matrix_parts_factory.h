#pragma once

#include <string>
#include <vector>

#include "numerical/structure/imported_matrices.h"

namespace trestle::config {
class Matrices;
}  // namespace trestle::config

namespace trestle::composition {

/// Reads `without`: the physical parts that the given matrices contain.
/// @param known  DOFs of the matrices, in the order of their rows
/// @param path   of the matrices in the configuration, for errors
/// @throws SettingError with every problem: a DOF that the matrices do not have or that
///         stands twice, rows of other lengths than the list of DOFs, a matrix that is not
///         symmetric, a part that takes nothing
std::vector<structure::RemovedPart> given_parts(const config::Matrices& matrices,
                                                const std::vector<std::string>& known,
                                                const std::string& path);

}  // namespace trestle::composition
