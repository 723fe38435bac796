#pragma once

#include <string>

#include "studies/characterisation/characterisation.h"

namespace trestle::characterisation {

/// Place and time of a characterisation, for display.
struct CharacteriseFacts {
  std::string site;
  std::string file;   ///< SITE.yaml
  std::string stamp;  ///< UTC
  bool real_equipment = false;
};

/// `transfer_system.yaml`, as `rig: {include: transfer_system.yaml, specimen: {...}}` takes
/// it. Without coupling: `identified` actuators. With coupling: a transfer matrix of zeros,
/// poles and gains, where a delay is Padé's approximant.
/// @pre the characterisation is complete
std::string transfer_system_yaml(const CharacteriseReport& report,
                                 const CharacteriseSettings& settings,
                                 const CharacteriseFacts& facts);

}  // namespace trestle::characterisation
