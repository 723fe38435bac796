#pragma once

#include <memory>
#include <string>

#include "core/ports/specimen_model.h"

namespace trestle {

namespace config {
class Specimen;
}

/// @param interface_dofs  of its site
/// @param path            of the specimen in the configuration
/// @throws SettingError where it has not so many DOFs, or a setting cannot be
std::unique_ptr<SpecimenModel> make_specimen(const config::Specimen& specimen,
                                             int interface_dofs, const std::string& path);

/// How many interface DOFs a specimen says that it has; 0 for a column, which takes one,
/// two or three.
int specimen_dofs(const config::Specimen& specimen) noexcept;

}  // namespace trestle
