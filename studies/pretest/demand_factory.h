#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/specimen_model.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "numerical/structure/structural_model.h"
#include "proto/config/test.pb.h"

namespace trestle::pretest {

/// The demand of a test on one site, by a linear estimate.
struct SiteDemand {
  std::string site;
  bool known = false;  ///< false: the test file does not know the specimen
  /// Largest stroke, rate and force of each actuator [m | rad, m/s | rad/s, N | N·m]. The
  /// rate is that of the mode: of the ramps in pseudo-dynamic mode, of the stretched time
  /// in continuous mode, else of the structure.
  std::vector<ActuatorLimits> actuators;
  std::vector<DofKind> kinds;
  std::vector<double> targets{};  ///< the largest of each controlled DOF [m | rad]
  double ramping = 0.0;           ///< pseudo-dynamic: of the wall, without the rests [s]
};

/// Specimens at their initial stiffness, for the undivided structure, one per part.
std::vector<std::unique_ptr<SpecimenModel>> linear_specimens(
    const config::Test& test, const std::vector<structure::ExperimentalPart>& parts);

/// Runs the undivided structure with every specimen at its initial stiffness.
/// @throws SettingError if the test cannot be built
std::vector<SiteDemand> estimate_demand(const config::Test& test);

/// The same where a person waits for it.
/// @param most_work  channels of the structure times steps; more is left out
/// @returns nothing where it was left out
std::optional<std::vector<SiteDemand>> estimate_demand(const config::Test& test,
                                                       double most_work);

}  // namespace trestle::pretest
