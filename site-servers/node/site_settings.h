#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/control_chain_factory.h"
#include "core/ports/loading_frame.h"
#include "core/session/session_contract.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "core/types/system_clock_reading.h"
#include "site-servers/checks/startup_check_settings.h"
#include "site-servers/node/limit_merge.h"
#include "site-servers/node/longest_times.h"
#include "site-servers/node/loop_executor.h"
#include "site-servers/node/rig_diary.h"
#include "site-servers/node/told_drive.h"
#include "site-servers/safety/safe_action.h"

namespace trestle::site_node {

/// The targets that a laboratory allows for one interface DOF.
struct TargetLimit {
  std::string dof;  ///< name, full or without its node
  double displacement = std::numeric_limits<double>::infinity();  ///< [m | rad]
  double rate = std::numeric_limits<double>::infinity();          ///< [m/s | rad/s]
  double acceleration = std::numeric_limits<double>::infinity();  ///< [m/s² | rad/s²]
};

/// The person who takes responsibility for real equipment that may move although a limit is
/// missing.
struct WithoutLimits {
  std::string by;
  std::string reason;
};

/// The state that an earlier process of the site left, and where the next one finds that of
/// this process.
struct EarlierLife {
  std::string fault;               ///< not cleared since; empty: none
  std::optional<ToldDrive> drive;  ///< in force, as a person stated; empty: not stated
  /// Of people's commands between two tests; null: only readings are taken there.
  std::unique_ptr<RigDiary> diary = nullptr;
};

/// When the control loop of a site is too slow.
struct LoopWatch {
  Duration overrun{};               ///< a control tick later than this counts; 0: one tick
  std::int64_t most_overruns = 20;  ///< in a row; more are a fault
  /// A control cycle that takes longer has stalled; 0: 100 ms or 20 ticks with real
  /// equipment, 5 s with a simulated rig.
  Duration stall{};
  /// By a separate thread, again and again while a function of the rig does not return: its
  /// name, and for how long.
  std::function<void(const char* function, Duration so_long)> hangs = {};
  /// A person's command may move real equipment although no device stops it when the
  /// program dies. (Of a test, its integrator decides that.)
  bool without_hardware_watchdog = false;
};

/// What a site records of its control ticks.
struct TickRecording {
  int every = 1;              ///< keep every n-th
  bool coefficients = false;  ///< of the compensator, in the same rows
};

/// The description that a laboratory gives of itself, before any test.
struct SiteSettings {
  std::string name;      ///< the name under which tests know it
  std::string software;  ///< version of the program
  std::unique_ptr<const LoadingFrame> loading_frame;
  /// Makes compensator and controller of a test; borrowed, never null when a node begins.
  const ControlChainFactory* control_chain = nullptr;
  RigLimits limits;               ///< the laboratory's own; empty: it states none
  LimitSourceLookup limit_place;  ///< their places in the file, for messages; may be empty
  std::vector<TargetLimit> target_limits;
  checks::StartCheckSettings start_checks = {};  ///< before it says that it is armed
  session::ContractEntries stated = {};  ///< in its contracts, beside what messages hold
  TickRecording ticks = {};
  Duration hello_period = std::chrono::milliseconds(250);
  /// Executor of the paced modes; null: the node's own thread.
  std::unique_ptr<LoopExecutor> loop_executor = nullptr;
  /// The synchronised clock of this host, for tests with `clock_source: system`; empty:
  /// none is trusted.
  std::function<std::optional<SystemClockReading>()> system_clock = {};
  bool shares_clock = false;  ///< it lives in the integrator's process
  bool insecure = false;      ///< it speaks plainly beyond its own machine
  LoopWatch watch = {};
  safety::SafeAction safe_action = {};  ///< after a fault, one value per actuator
  EarlierLife earlier = {};
  std::optional<WithoutLimits> without_limits = {};  ///< nothing: it needs all of them
  LongestTimes longest = {};                         ///< that it takes from a test
};

}  // namespace trestle::site_node
