#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "studies/rehearsal/process_lifetime.h"

namespace trestle::rehearsal {

enum class FaultType : std::uint8_t {
  kDelay,  ///< of the messages between integrator and a site
  kLoss,
  kDuplication,
  kReordering,
  kPartition,     ///< nothing passes
  kOneWay,        ///< the same, one way only
  kStall,         ///< a node is not run for a while
  kKill,          ///< a node's process dies, at any call that it makes
  kPowerLoss,     ///< the same, and its disk forgets what was not synced
  kDiskFull,      ///< under a node's record
  kGarbage,       ///< wrong readings of a site's transducers
  kNonsense,      ///< a message that must not be followed
  kClockStep,     ///< of a node's wall clock
  kOperatorStop,  ///< at either end
  kOperatorHold,  ///< at either end; resumed after a while
};
inline constexpr std::size_t kFaultSorts = 15;
std::string_view name(FaultType sort) noexcept;

enum class SensorFault : std::uint8_t { kNaN, kInfinity, kSpike, kStuck, kTrip };
inline constexpr int kGarbages = 5;
std::string_view name(SensorFault garbage) noexcept;

enum class InvalidMessage : std::uint8_t {
  kBytes,
  kNotANumber,
  kTooFar,
  kGap,
  kOtherSession,
  kWrongLength,
};
inline constexpr int kNonsenses = 6;
std::string_view name(InvalidMessage nonsense) noexcept;

/// One fault of a scenario.
struct ScheduledFault {
  static constexpr int kIntegrator = -1;

  FaultType sort = FaultType::kDelay;
  int node = kIntegrator;  ///< the affected node; of a network fault: the site
  CallCount at = 0;        ///< number of calls of all nodes together at which it begins
  Duration duration{};     ///< of the fault; of a kill: until the node is started again
  /// Share of messages (loss, duplication, reordering) or of what is kept (power loss),
  /// time [s] (delay, clock), reads (garbage), bytes (disk).
  double amount = 0.0;
  int detail = 0;  ///< Garbage, Nonsense; of one-way: 0 to the site
};

/// Formats the fault: "kill of site west, started again after 1.3 s".
std::string sentence(const ScheduledFault& fault, const std::vector<std::string>& sites);

}  // namespace trestle::rehearsal
