#pragma once

#include <memory>
#include <string>

#include "numerical/materials/restoring_force.h"
#include "numerical/structure/damping.h"
#include "numerical/structure/frame_model.h"
#include "numerical/structure/structural_model.h"

namespace trestle {

namespace config {
class Beam;
class Damping;
class Frame;
class RestoringForceLaw;
}  // namespace config

/// @param path  of the law in the configuration, for errors
/// @throws SettingError if no law is given or a setting is outside its range
std::unique_ptr<RestoringForce> make_restoring_force(const config::RestoringForceLaw& law,
                                                     const std::string& path);

/// All but its damping, which needs the assembled structure.
/// @param path  of the frame in the configuration, for errors
/// @throws SettingError with every problem of the frame: unknown nodes and sections (and
/// the
///         nearest known), members of no length, names given twice, numbers out of range
FrameModel frame_model(const config::Frame& frame, const std::string& path);

/// @param path  of the beam in the configuration, for errors
/// @throws SettingError as above
FrameModel beam_model(const config::Beam& beam, const std::string& path);

/// @param path  of the damping in the configuration, for errors
/// @throws SettingError if the entries contradict each other
DampingModel damping_model(const config::Damping& damping, const std::string& path);

/// Adds the damping that a configuration asks for, with the experimental parts in place.
/// @throws SettingError as damping_model() and add_damping()
void add_damping(StructuralModel& structure, const config::Damping& damping,
                 const std::string& path);

}  // namespace trestle
