#pragma once

#include <string>

#include "numerical/structure/frame_model.h"

namespace trestle {

namespace config {
class Beam;
class Frame;
}  // namespace config

/// All but its damping, which needs the assembled structure.
/// @param path  of the frame in the configuration, for errors
/// @throws SettingError with every problem of the frame: unknown nodes and sections (and
/// the
///         nearest known), members of no length, names given twice, numbers out of range
FrameModel frame_model(const config::Frame& frame, const std::string& path);

/// @param path  of the beam in the configuration, for errors
/// @throws SettingError as above
FrameModel beam_model(const config::Beam& beam, const std::string& path);

}  // namespace trestle
