#include "numerical/node/phase.h"

#include <gtest/gtest.h>

#include <map>

namespace trestle::integrator_node::phase_test {
namespace {

using Row = std::map<Trigger, Phase>;

/// All that a phase may follow; every other trigger is refused.
const std::map<Phase, Row>& expected() {
  static const Row kAlways{{Trigger::kHalt, Phase::kHalting},
                           {Trigger::kStop, Phase::kStopping},
                           {Trigger::kWithdraw, Phase::kEnded}};
  static const Row kUnderWay{{Trigger::kHalt, Phase::kHalting},
                             {Trigger::kStop, Phase::kStopping},
                             {Trigger::kWithdraw, Phase::kEnded},
                             {Trigger::kHold, Phase::kHolding},
                             {Trigger::kLeave, Phase::kLeaving}};
  const auto with = [](Row row, const Row& own) {
    row.insert(own.begin(), own.end());
    return row;
  };
  static const std::map<Phase, Row> kExpected{
      {Phase::kConnecting, with(kAlways, {{Trigger::kArmed, Phase::kInitialMeasurement},
                                          {Trigger::kRecordLoaded, Phase::kReplaying},
                                          {Trigger::kLeft, Phase::kEnded}})},
      {Phase::kReplaying, with(kAlways, {{Trigger::kReplayed, Phase::kHeld},
                                         {Trigger::kRetold, Phase::kEnded},
                                         {Trigger::kLeave, Phase::kLeaving}})},
      {Phase::kInitialMeasurement, with(kAlways, {{Trigger::kMeasured, Phase::kRunning}})},
      {Phase::kRunning, kUnderWay},
      {Phase::kHolding, with(kUnderWay, {{Trigger::kAllHold, Phase::kHeld}})},
      {Phase::kHeld, with(kUnderWay, {{Trigger::kResume, Phase::kResuming}})},
      {Phase::kResuming, with(kUnderWay, {{Trigger::kStepsLost, Phase::kResynchronising},
                                          {Trigger::kAllRun, Phase::kRunning}})},
      {Phase::kResynchronising, with(kUnderWay, {{Trigger::kAllRun, Phase::kRunning}})},
      {Phase::kHalting, {{Trigger::kAllHold, Phase::kStopping}}},
      {Phase::kLeaving, {{Trigger::kLeft, Phase::kEnded}}},
      {Phase::kStopping, {{Trigger::kAllStopped, Phase::kEnded}}},
      {Phase::kEnded, {}},
  };
  return kExpected;
}

TEST(Phase, FollowsEachTriggerAsTheTableSaysAndNoOther) {
  ASSERT_EQ(expected().size(), kPhases);
  for (std::size_t i = 0; i < kPhases; ++i)
    for (std::size_t k = 0; k < kTriggers; ++k) {
      const auto phase = static_cast<Phase>(i);
      const auto trigger = static_cast<Trigger>(k);
      const Row& row = expected().at(phase);
      const auto found = row.find(trigger);
      const std::optional<Phase> to = next(phase, trigger);
      EXPECT_EQ(to.has_value(), found != row.end()) << "phase " << i << ", trigger " << k;
      if (!to || found == row.end()) continue;
      EXPECT_EQ(*to, found->second) << "phase " << i << ", trigger " << k;
    }
}

TEST(Phase, NeverComesBackFromItsEnd) {
  for (std::size_t i = 0; i < kPhases; ++i)
    for (std::size_t k = 0; k < kTriggers; ++k) {
      const auto from = static_cast<Phase>(i);
      const std::optional<Phase> to = next(from, static_cast<Trigger>(k));
      if (!ends(from) || !to) continue;
      EXPECT_TRUE(ends(*to)) << "phase " << i << ", trigger " << k;
    }
}

TEST(Phase, LetsARigMoveOnlyBehindAnInitialMeasurementOrARecord) {
  for (std::size_t i = 0; i < kPhases; ++i)
    for (std::size_t k = 0; k < kTriggers; ++k) {
      const auto from = static_cast<Phase>(i);
      const std::optional<Phase> to = next(from, static_cast<Trigger>(k));
      if (!to || *to != Phase::kRunning) continue;
      EXPECT_TRUE(from == Phase::kInitialMeasurement || from == Phase::kResuming ||
                  from == Phase::kResynchronising)
          << "phase " << i << ", trigger " << k;
    }
}

}  // namespace
}  // namespace trestle::integrator_node::phase_test
