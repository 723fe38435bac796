#pragma once

#include <cstdint>
#include <optional>

namespace trestle::integrator_node {

/// The phase of a test. From kHalting on the test ends.
enum class Phase : std::uint8_t {
  kConnecting,          ///< until every site has agreed on the test
  kReplaying,           ///< its own record, after a restart of the integrator
  kInitialMeasurement,  ///< Arm is out, then Start, until every initial measurement is in
  kRunning,             ///< step by step
  kHolding,             ///< Halt is out, and the test continues later
  kHeld,                ///< every site holds, or counts as away
  kResuming,            ///< Resume is out
  kResynchronising,     ///< sites execute again the steps that their records lost
  kHalting,             ///< Halt is out, and the test ends
  kLeaving,             ///< Halt is out, and the process ends; the test stays held
  kStopping,            ///< Stop is out
  kEnded,
};
inline constexpr std::size_t kPhases = 12;

/// Why a test changes its phase.
enum class Trigger : std::uint8_t {
  kNone,          ///< it does not
  kArmed,         ///< all sites agree, and may be armed
  kRecordLoaded,  ///< all sites agree, and there is a record to replay first
  kReplayed,      ///< the record has come to its end
  kMeasured,      ///< all initial measurements are in
  kHold,          ///< a person asks for a hold, or a site is away
  kAllHold,       ///< or their time to say so has passed
  kResume,        ///< all sites are there, and no person's command is missing
  kStepsLost,     ///< all sites run again, and one has steps to repeat
  kAllRun,        ///< all sites run again
  kHalt,          ///< all sites hold, then the test ends
  kStop,          ///< the test ends
  kAllStopped,    ///< or their time to say so has passed
  kLeave,         ///< all sites hold, then this process ends, and the test does not
  kLeft,          ///< this process may end
  kWithdraw,      ///< the test was to be resumed, and is left as it was
  kRetold,        ///< a test that had ended before was reported once more

  // Requests, for which EndRules chooses one of the triggers above.
  kFail,  ///< a failure: no person asked for it
  kEnd,   ///< the end of the test
};
inline constexpr std::size_t kTriggers = 19;

struct Transition {
  Phase from;
  Trigger trigger;
  Phase to;
};

inline constexpr Transition kTransitions[] = {
    {Phase::kConnecting, Trigger::kArmed, Phase::kInitialMeasurement},
    {Phase::kConnecting, Trigger::kRecordLoaded, Phase::kReplaying},
    {Phase::kConnecting, Trigger::kLeft, Phase::kEnded},
    {Phase::kReplaying, Trigger::kReplayed, Phase::kHeld},
    {Phase::kReplaying, Trigger::kRetold, Phase::kEnded},
    {Phase::kInitialMeasurement, Trigger::kMeasured, Phase::kRunning},
    {Phase::kHolding, Trigger::kAllHold, Phase::kHeld},
    {Phase::kHeld, Trigger::kResume, Phase::kResuming},
    {Phase::kResuming, Trigger::kStepsLost, Phase::kResynchronising},
    {Phase::kResuming, Trigger::kAllRun, Phase::kRunning},
    {Phase::kResynchronising, Trigger::kAllRun, Phase::kRunning},
    {Phase::kHalting, Trigger::kAllHold, Phase::kStopping},
    {Phase::kLeaving, Trigger::kLeft, Phase::kEnded},
    {Phase::kStopping, Trigger::kAllStopped, Phase::kEnded},
};

/// The test is on its way to its end, or out of it.
constexpr bool ends(Phase phase) noexcept {
  return phase >= Phase::kHalting;
}

/// Rigs may move by steps of the test, or hold between two of them.
constexpr bool under_way(Phase phase) noexcept {
  return phase >= Phase::kRunning && !ends(phase);
}

/// @returns nothing if the table has no such row
constexpr std::optional<Phase> next(Phase from, Trigger trigger) noexcept {
  if (!ends(from)) {
    if (trigger == Trigger::kHalt) return Phase::kHalting;
    if (trigger == Trigger::kStop) return Phase::kStopping;
    if (trigger == Trigger::kWithdraw) return Phase::kEnded;
  }
  if (under_way(from) && trigger == Trigger::kHold) return Phase::kHolding;
  if ((under_way(from) || from == Phase::kReplaying) && trigger == Trigger::kLeave)
    return Phase::kLeaving;
  for (const Transition& row : kTransitions)
    if (row.from == from && row.trigger == trigger) return row.to;
  return std::nullopt;
}

}  // namespace trestle::integrator_node
