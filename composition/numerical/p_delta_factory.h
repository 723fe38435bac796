#pragma once

#include <string>

#include "core/base/setting_error_collector.h"
#include "numerical/structure/frame_model.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Excitation;
class Frame;
}  // namespace trestle::config

namespace trestle::composition {

/// Prepares a frame with `geometry: p-delta` or `corotational`: an axial force acts on the
/// bent member, so that the rotation of every hinged end is an equation.
/// @param path  of the frame in the configuration, for errors
void read_geometry(const config::Frame& frame, structure::FrameModel& model,
                   const std::string& path, SettingErrorCollector& problems);

/// Gives a frame with `geometry: p-delta` the stiffness of the axial forces that gravity
/// brings about in linear statics, specimens included, and its buckling factor. Others stay
/// as they are.
/// @param structure   with its experimental parts, without damping
/// @param excitation  null: there is no gravity
/// @param path        of the frame in the configuration, for errors
/// @throws SettingError if gravity is missing, or the frame buckles under it
void add_p_delta(structure::StructuralModel& structure, const config::Frame& frame,
                 const config::Excitation* excitation, const std::string& path);

}  // namespace trestle::composition
