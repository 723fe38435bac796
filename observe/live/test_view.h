#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal_event.h"
#include "core/ports/operator_interface.h"
#include "observe/live/actuator_view.h"
#include "observe/live/held_record.h"
#include "observe/live/remaining_time.h"

namespace trestle::live {

/// A test as an observer sees it at one look: what a screen, a line and `status` show.
struct TestView {
  std::string folder;
  std::string test;  ///< empty: no test yet
  std::string mode;  ///< execution mode; empty: not known
  std::string node;  ///< "integrator", or the name of the site
  /// The sites whose twins stand for them (twin_notice()).
  std::vector<std::string> twins;
  bool served = false;  ///< a process serves the folder and has answered
  bool ended = false;   ///< the record is of a session that ended
  /// The record is of a test that was left held.
  std::optional<HeldRecord> held;
  NodeStatus status;  ///< of the process; without one: what the record tells
  std::int64_t steps_done = 0;
  std::int64_t steps_planned = 0;  ///< 0: not known
  double time_step = 0.0;          ///< [s]
  double rate = 0.0;               ///< steps per second of the wall clock; 0: not known
  double stands_still = 0.0;       ///< how long no step was completed [s]
  std::optional<RemainingEstimate> left;
  std::vector<ActuatorView> actuators;
  std::vector<journal::JournalEvent> events;  ///< the last ones, oldest first
  std::uint64_t rows_skipped = 0;             ///< overwritten before they were read
  std::string problem;  ///< why the record cannot be read, in one sentence; empty: it can

  double time() const noexcept { return static_cast<double>(steps_done) * time_step; }
  double end_time() const noexcept {
    return static_cast<double>(steps_planned) * time_step;
  }
  /// Completed part of the planned steps [%]; 0 if no step is planned.
  double percent() const noexcept {
    return steps_planned > 0 ? 100.0 * static_cast<double>(steps_done) /
                                   static_cast<double>(steps_planned)
                             : 0.0;
  }
  /// The actuator whose limit is used most; nothing if no limit is used.
  const ActuatorView* nearest_limit() const noexcept;
};

}  // namespace trestle::live
