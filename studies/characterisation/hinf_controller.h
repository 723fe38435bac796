#pragma once

#include <string>
#include <vector>

#include "studies/characterisation/characterisation.h"
#include "studies/characterisation/transfer_system_text.h"
#include "studies/controller_design/mixed_sensitivity.h"

namespace trestle::characterisation {

/// A controller for the rig as it was identified.
struct RigController {
  controller_design::SensitivityDesign design;
  /// By which a slow motion then comes late, of each actuator, if the command aims at the
  /// end of its tick [s]: the delay for a compensator in front.
  std::vector<double> low_frequency_delay{};
};

/// Designs the feedback of the errors with the weights of the settings, for the identified
/// rig at its control tick: the sampled plant with its delay, carried to continuous time by
/// the bilinear rule, which keeps every norm, and by which the controller `state-space`
/// comes back.
/// @pre the characterisation is complete
/// @throws SettingError at `characterise.hinf` if no controller meets the weights, or it
///         would have more states than a StateSpaceController takes: each delay of a path
///         has one for each control tick
RigController design_hinf_controller(const CharacteriseReport& report,
                                     const CharacteriseSettings& settings);

/// `transfer_system_controller.yaml`: a controller of the kind `state-space`, for
/// `controller: {include: ...}`, with the numbers of the design at its head.
/// @param name  of the file, for its head
std::string hinf_controller_yaml(const RigController& found,
                                 const CharacteriseSettings& settings,
                                 const CharacteriseFacts& facts, const std::string& name);

/// The same for a person, a line or two.
std::string hinf_controller_summary(const RigController& found);

}  // namespace trestle::characterisation
