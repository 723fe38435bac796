#pragma once

#include <string>

#include "numerical/structure/frame_model.h"

namespace trestle::config {
class Beam;
class Frame;
}  // namespace trestle::config

namespace trestle::composition {

/// All but its damping, which needs the assembled structure.
/// @param path  of the frame in the configuration, for errors
/// @throws SettingError with every problem of the frame: unknown nodes and sections (and
/// the
///         nearest known), members of no length, names given twice, numbers out of range
structure::FrameModel frame_model(const config::Frame& frame, const std::string& path);

/// @param path  of the beam in the configuration, for errors
/// @throws SettingError as above
structure::FrameModel beam_model(const config::Beam& beam, const std::string& path);

}  // namespace trestle::composition
