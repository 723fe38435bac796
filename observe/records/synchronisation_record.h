#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/evaluation/synchronisation.h"
#include "observe/records/run_record.h"

namespace trestle::records {

/// Which part of a run is looked at, and at which frequencies.
struct SynchronisationQuery {
  double from = 0.0;                                       ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  std::vector<double> frequencies = {};                    ///< [Hz]
};

/// Wanted and measured motion of one interface DOF, step by step.
struct SynchronisedPort {
  std::string name;
  double begins = 0.0;           ///< time of the first value [s]
  double period = 0.0;           ///< [s]
  std::vector<double> wanted;    ///< [m]
  std::vector<double> measured;  ///< [m]
  evaluation::Synchronisation found{};
};

/// Returns the recorded motion of each port of a bond graph: `<dof>.disp_m` beside
/// `<dof>.measured_m`.
/// @throws std::runtime_error if it recorded none, or the part is empty
std::vector<SynchronisedPort> synchronised_ports(const RunRecord& run,
                                                 const SynchronisationQuery& question);

}  // namespace trestle::records
