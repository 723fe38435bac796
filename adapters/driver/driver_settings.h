#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trestle::driver {

/// The largest drive of one actuator; infinite: no limit.
struct ActuatorDriveLimit {
  double displacement = 0.0;  ///< [m | rad]
  double rate = 0.0;          ///< [m/s | rad/s]
};

struct DriverSettings {
  std::string file;                        ///< the plug-in
  std::string settings;                    ///< for the plug-in: lines `path: value`
  std::string folder;                      ///< where site and driver of this rig meet
  std::vector<ActuatorDriveLimit> limits;  ///< one per actuator; empty: none
  /// Ticks in a row that may take longer than the tick.
  std::uint32_t overruns = 0;
  /// Of the thread that calls the plug-in of real equipment.
  int priority = 0;  ///< SCHED_FIFO; 0: ordinary scheduling
  int cpu = -1;      ///< negative: any
};

}  // namespace trestle::driver
