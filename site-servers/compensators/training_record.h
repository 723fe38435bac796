#pragma once

#include <string>
#include <vector>

namespace trestle::compensators {

/// Command and response of one actuator in an earlier test, tick by tick [m | rad].
struct TrainingRecord {
  std::vector<double> command;
  std::vector<double> measured;  ///< the answer to the command of the same tick
};

/// Reads the actuators of one site from a CSV as `trestle export --ticks` writes it:
/// columns `time_s` and `<site>.<actuator>.command_m` with `measured_m` (or `_rad`).
///
/// @returns in the order of the columns
/// @throws SettingError at `path`: an unreadable file, no such columns, a cell that is no
///         number, times that are not one `tick` apart
std::vector<TrainingRecord> read_recorded_motion(const std::string& file,
                                                 const std::string& site, double tick,
                                                 const std::string& path);

}  // namespace trestle::compensators
