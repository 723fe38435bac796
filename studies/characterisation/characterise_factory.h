#pragma once

#include "core/ports/site_adapter.h"
#include "core/yaml/source_map.h"
#include "studies/characterisation/characterisation.h"

namespace trestle::config {
class SiteFile;
}  // namespace trestle::config

namespace trestle::characterisation {

/// Returns the settings of the characterisation in a site's file.
/// @param where  tells rotations from translations by the units in the file
/// @throws SettingError  if the amplitudes are not one or one each
CharacteriseSettings characterise_settings(const config::SiteFile& file,
                                           const yaml::SourceMap& where,
                                           const RigDescription& rig);

}  // namespace trestle::characterisation
