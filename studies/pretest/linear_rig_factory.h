#pragma once

#include <string>

#include "studies/pretest/linear_rig_model.h"

namespace trestle::config {
class Rig;
}  // namespace trestle::config

namespace trestle::pretest {

/// The actuators of a simulated rig as its adapter makes them, at this tick; with the
/// observer whose estimate its specimen feels, if it has one.
/// @param path  of the rig
/// @throws SettingError if a setting cannot be
LinearRigModel make_linear_rig(const config::Rig& rig, int actuators, double tick,
                               const std::string& path);

}  // namespace trestle::pretest
