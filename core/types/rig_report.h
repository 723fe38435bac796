#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/types/exercise_result.h"

namespace trestle {

/// One transducer of a rig that stands still, over a second of readings.
struct RigReading {
  std::string channel{};          ///< "1.displacement", "1.force", "load cell 1", "oil"
  std::string unit{};             ///< m, rad, N, N.m; of further channels their own
  double mean = 0.0;              ///< [unit]
  double deviation = 0.0;         ///< standard deviation of one reading [unit]
  std::optional<double> drift{};  ///< of the mean since the last zero readings [unit]
  double tare = 0.0;    ///< the equipment's reading = the reading here + tare [unit]
  std::string tared{};  ///< when, and by whom; empty: not tared
  /// Of a contact (unit 0/1): it stops the rig when it is closed. Otherwise an open one is
  /// what a person should look at, whether it is mapped or not.
  bool stops_closed = false;
  bool operator==(const RigReading&) const = default;
};

/// One actuator during a motion, as of the last control tick.
struct RigAxis {
  std::string name{};
  std::string unit{};     ///< of drive and measured: m, rad
  double drive = 0.0;     ///< [m | rad]
  double measured = 0.0;  ///< [m | rad]
  double force = 0.0;     ///< [N | N·m]
  bool operator==(const RigAxis&) const = default;
};

/// The present or last command to the rig of a site between two tests.
struct RigReport {
  std::string action{};  ///< as RigRequest::Action: "status", "jog", ...; empty: none yet
  std::string by{};      ///< the person who gave it
  /// "gets ready", "reads", "moves", "acts safely" (after a fault), "hangs" (after a fault,
  /// in a function of the driver that does not return), "over".
  std::string state{};
  bool done = false;                       ///< it is over, and was executed to its end
  std::string outcome{};                   ///< one sentence, if it is over
  std::vector<RigReading> readings{};      ///< of the last status, zero or tare
  std::vector<RigAxis> axes{};             ///< of a motion
  std::vector<ExerciseResult> exercise{};  ///< of an exercise that came to its end
  std::string zero{};  ///< when, and by whom the zero readings were kept; empty: none are
  bool operator==(const RigReport&) const = default;
};

}  // namespace trestle
