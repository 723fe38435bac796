#pragma once

#include <memory>
#include <string>

#include "core/ports/specimen_model.h"

namespace trestle::config {
class FrameSpecimen;
}  // namespace trestle::config

namespace trestle::composition {

/// @param interface_dofs  of its site
/// @param path            of the frame specimen in the configuration
/// @throws SettingError for every problem of the frame and its damping; for an interface
///         DOF that the frame does not have, holds or has twice, or too few or too many of
///         them; for more equations than a control tick can take; and where inner DOFs are
///         a mechanism while the interface is held
std::unique_ptr<SpecimenModel> make_frame_specimen(const config::FrameSpecimen& specimen,
                                                   int interface_dofs,
                                                   const std::string& path);

}  // namespace trestle::composition
