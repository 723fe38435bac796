#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observe/report/run_data.h"

namespace trestle::report {

/// The quantity of an interface DOF.
inline constexpr const char* kTargetDisplacement = "target displacement";

/// How near one actuator, or the targets of one interface DOF, came to a limit.
struct LimitUse {
  std::string site;
  std::string axis;  ///< name of the actuator or the interface DOF
  /// "displacement", "rate", "acceleration", "force", "tracking error"; of an interface DOF
  /// kTargetDisplacement.
  std::string quantity;
  std::string si_unit;
  double largest = 0.0;  ///< magnitude [SI]
  double time = 0.0;     ///< of it, in the test [s]; NaN: the record does not tell it
  std::optional<double> limit;
  bool at_least = false;   ///< seen per step or per n-th tick: between them it may be more
  bool of_window = false;  ///< of a long record: of those rows that were read

  /// Share of the limit; 0: there is none.
  double ratio() const { return limit && *limit > 0.0 ? largest / *limit : 0.0; }
};

/// Returns the limit use of a site: of those interface DOFs whose displacement is limited,
/// from the targets of the steps, and of all actuators, in their order: from each control
/// tick in its journal, otherwise from the steps in the integrator's. Displacement, rate
/// and acceleration are those of the command, by the clock of the rig: a continuous test
/// moves it more slowly than the structure. In a long record displacement and force are
/// those of the whole test, and what needs neighbouring rows is that of a window. No rate
/// and no acceleration of steps that take the rig another time than they have in the test.
std::vector<LimitUse> limit_uses(const RecordedSiteData& site, const RunData& run);

/// The use that is nearest to its limit, or null.
const LimitUse* nearest_limit(const std::vector<LimitUse>& uses);

}  // namespace trestle::report
