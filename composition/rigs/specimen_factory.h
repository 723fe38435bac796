#pragma once

#include <memory>
#include <string>

#include "core/ports/specimen_model.h"

namespace trestle::config {
class Specimen;
}  // namespace trestle::config

namespace trestle::composition {

/// @param controlled, force_only  interface DOFs of its site
/// @param path                    of the specimen in the configuration
/// @throws SettingError if its number of DOFs differs, or a setting is invalid
std::unique_ptr<SpecimenModel> make_specimen(const config::Specimen& specimen,
                                             int controlled, int force_only,
                                             const std::string& path);

/// Returns the number of force-only DOFs that a specimen can serve beside the controlled
/// ones, as far as it states it: all further DOFs of its matrices; 0 for a column.
int force_only_dofs(const config::Specimen& specimen, int controlled) noexcept;

/// Returns the number of interface DOFs that a specimen states; 0 for a column, which takes
/// one, two or three, and for a kinematic one, which also has inner DOFs.
int specimen_dofs(const config::Specimen& specimen) noexcept;

}  // namespace trestle::composition
