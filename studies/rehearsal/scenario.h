#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/evaluation/run_report.h"
#include "studies/rehearsal/exchange_log.h"
#include "studies/rehearsal/rig_monitor.h"
#include "studies/rehearsal/scheduled_fault.h"
#include "studies/rehearsal/simulated_disk.h"

namespace trestle::rehearsal {

/// The outcome of the test in a scenario.
enum class Outcome : std::uint8_t {
  kCompleted,
  kResumed,  ///< completed after a restart or a hold
  kStopped,  ///< safely
  kHeld,     ///< it holds, and a person has to say how to go on
};
inline constexpr std::size_t kOutcomes = 4;
std::string_view name(Outcome outcome) noexcept;

/// The traces of a scenario, for the checks.
struct ScenarioTrace {
  std::vector<ScheduledFault> faults;
  bool real_rigs = false;  ///< that outlive their sites' processes
  evaluation::RunResult result = evaluation::RunResult::kNotFinished;
  std::string reason;
  bool ended = false;            ///< no node waited without a limit
  bool holding = false;          ///< at the end, for a person
  int restarts = 0;              ///< nodes that were started again
  int resumed = 0;               ///< and words of the operator to go on
  CallCount calls = 0;           ///< that all nodes made
  CallCount calls_of_steps = 0;  ///< of them until the last step was done
  /// Sites whose power went when they had no step left to do.
  std::vector<bool> dark_at_end;
  TimePoint end{};                                    ///< virtual time
  std::vector<std::unique_ptr<SimulatedDisk>> disks;  ///< integrator's, then the sites'
  std::vector<ExchangeLog> books;                     ///< per site
  std::vector<RigMonitor> watches;                    ///< per site
  std::vector<std::string> story;                     ///< on request
};

/// The verdict on it.
struct ScenarioVerdict {
  Outcome outcome = Outcome::kCompleted;
  int max_ticks_to_safe_action = 0;  ///< from an event to the safe action
  std::vector<std::string> violations;
};

}  // namespace trestle::rehearsal
