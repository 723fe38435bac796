#pragma once

#include <memory>
#include <string>

#include "core/ports/specimen_model.h"

namespace trestle {

namespace config {
class Specimen;
}

/// @param controlled, force_only  interface DOFs of its site
/// @param path                    of the specimen in the configuration
/// @throws SettingError if its number of DOFs differs, or a setting is invalid
std::unique_ptr<SpecimenModel> make_specimen(const config::Specimen& specimen,
                                             int controlled, int force_only,
                                             const std::string& path);

/// How many force-only DOFs a specimen can serve beside the controlled ones, as far as it
/// says so itself: all that its matrices have more; 0 for a column.
int force_only_dofs(const config::Specimen& specimen, int controlled) noexcept;

/// How many interface DOFs a specimen says that it has; 0 for a column, which takes one,
/// two or three, and for a kinematic one, which has inner DOFs besides.
int specimen_dofs(const config::Specimen& specimen) noexcept;

}  // namespace trestle
