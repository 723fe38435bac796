#include "core/types/pace_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace trestle {
namespace {

constexpr ExecutionMode kModes[] = {ExecutionMode::kSimulated,
                                    ExecutionMode::kPseudoDynamic,
                                    ExecutionMode::kContinuous, ExecutionMode::kRealTime};

/// Modes of which a fact is true, in the order of Mode.
template <typename Fact>
std::vector<ExecutionMode> modes_with(Fact fact) {
  std::vector<ExecutionMode> found;
  std::copy_if(std::begin(kModes), std::end(kModes), std::back_inserter(found),
               [&](ExecutionMode mode) { return fact(rules_of(mode)); });
  return found;
}

using Modes = std::vector<ExecutionMode>;

TEST(PaceRules, HaveARowForEachModeInItsOrder) {
  ASSERT_EQ(std::size(kPaceRules), std::size(kModes));
  for (const ExecutionMode mode : kModes)
    EXPECT_EQ(rules_of(mode).mode, mode) << name(mode);
}

TEST(PaceRules, SayWhatGoesByTime) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.timed_loop; }),
            (Modes{ExecutionMode::kPseudoDynamic, ExecutionMode::kContinuous,
                   ExecutionMode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.by_time; }),
            (Modes{ExecutionMode::kContinuous, ExecutionMode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.scaled_ticks; }),
            (Modes{ExecutionMode::kContinuous}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.timeless; }),
            (Modes{ExecutionMode::kPseudoDynamic}));
}

TEST(PaceRules, SayWhatMustBeInARecordBeforeItIsUsed) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.durable_targets; }),
            (Modes{ExecutionMode::kPseudoDynamic}));
  EXPECT_EQ(rules_of(ExecutionMode::kSimulated).answer, AnswerNeeds::kResult);
  EXPECT_EQ(rules_of(ExecutionMode::kPseudoDynamic).answer, AnswerNeeds::kDurableResult);
  EXPECT_EQ(rules_of(ExecutionMode::kContinuous).answer, AnswerNeeds::kResultAndState);
  EXPECT_EQ(rules_of(ExecutionMode::kRealTime).answer, AnswerNeeds::kResultAndState);
}

TEST(PaceRules, SayWhichStepsAreSkippedRepeatedOrSaidAgain) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.skips_steps; }),
            (Modes{ExecutionMode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.late_rows > 0; }),
            (Modes{ExecutionMode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.repeats_steps; }),
            (Modes{ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.resends_targets; }),
            (Modes{ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic,
                   ExecutionMode::kContinuous}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.freezes_on_hold; }),
            (Modes{ExecutionMode::kPseudoDynamic}));
}

TEST(PaceRules, SayWhereAStepMayBringFeedForward) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.feedforward; }),
            (Modes{ExecutionMode::kSimulated, ExecutionMode::kRealTime}));
}

}  // namespace
}  // namespace trestle
