#pragma once

#include <string>

#include "numerical/structure/imported_matrices.h"

namespace trestle::config {
class Matrices;
}  // namespace trestle::config

namespace trestle::composition {

/// Reads matrices from their files, entries or rows, and what is taken out of them.
/// @param path  of the matrices in the configuration, for errors
/// @throws SettingError with every problem: a file that is missing or ragged, a matrix that
///         is not square, not symmetric or of another size than the list of DOFs, a
///         negative mass, also of what is left when the laboratories' parts are out, a name
///         that is no DOF or stands twice
structure::ImportedMatrices given_matrices(const config::Matrices& matrices,
                                           const std::string& path);

}  // namespace trestle::composition
