#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observe/report/run_data.h"

namespace trestle::report {

/// How near one actuator came to one of its limits.
struct LimitUse {
  std::string site;
  std::string actuator;
  std::string
      quantity;  ///< "displacement", "rate", "acceleration", "force", "tracking error"
  std::string si_unit;
  double largest = 0.0;  ///< magnitude [SI]
  double time = 0.0;     ///< of it [s]
  std::optional<double> limit;
  bool at_least = false;   ///< seen per step or per n-th tick: between them it may be more
  bool of_window = false;  ///< of a long record: of those rows that were read

  /// Share of the limit; 0: there is none.
  double ratio() const { return limit && *limit > 0.0 ? largest / *limit : 0.0; }
};

/// Returns the limit use of all actuators of a site, in their order: from each control tick
/// in its journal, otherwise from the steps in the integrator's. Displacement, rate and
/// acceleration are those of the command. In a long record displacement and force are those
/// of the whole test, and what needs neighbouring rows is that of a window. No rate and no
/// acceleration of steps that take the rig another time than they have in the test.
std::vector<LimitUse> limit_uses(const RecordedSiteData& site, const RunData& run);

/// The use that is nearest to its limit, or null.
const LimitUse* nearest_limit(const std::vector<LimitUse>& uses);

}  // namespace trestle::report
