#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/site_setup.h"
#include "core/types/limits.h"
#include "studies/characterisation/characterisation.h"

namespace trestle::characterisation {

/// A laboratory's file read and checked for a measurement of its rig.
struct CharacterisationSetup {
  std::unique_ptr<composition::SiteSetup> site;
  CharacteriseSettings settings;
  RigLimits limits;  ///< one per actuator
};

/// Reads SITE.yaml and builds its rig. The rig is not opened.
/// @param overrides  path=value
/// @throws ConfigError with everything that is wrong, also if real equipment has no limits
///         or nothing that stops it when this program dies
CharacterisationSetup load_characterisation(const std::string& file,
                                            const std::vector<std::string>& overrides,
                                            const std::string& software);

}  // namespace trestle::characterisation
