#include "core/types/pace_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace trestle {
namespace {

constexpr Mode kModes[] = {Mode::kSimulated, Mode::kPseudoDynamic, Mode::kContinuous,
                           Mode::kRealTime};

/// Modes of which a fact is true, in the order of Mode.
template <typename Fact>
std::vector<Mode> modes_with(Fact fact) {
  std::vector<Mode> found;
  std::copy_if(std::begin(kModes), std::end(kModes), std::back_inserter(found),
               [&](Mode mode) { return fact(rules_of(mode)); });
  return found;
}

using Modes = std::vector<Mode>;

TEST(PaceRules, HaveARowForEachModeInItsOrder) {
  ASSERT_EQ(std::size(kPaceRules), std::size(kModes));
  for (const Mode mode : kModes) EXPECT_EQ(rules_of(mode).mode, mode) << name(mode);
}

TEST(PaceRules, SayWhatGoesByTime) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.timed_loop; }),
            (Modes{Mode::kPseudoDynamic, Mode::kContinuous, Mode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.by_time; }),
            (Modes{Mode::kContinuous, Mode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.scaled_ticks; }),
            (Modes{Mode::kContinuous}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.timeless; }),
            (Modes{Mode::kPseudoDynamic}));
}

TEST(PaceRules, SayWhatMustBeInARecordBeforeItIsUsed) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.durable_targets; }),
            (Modes{Mode::kPseudoDynamic}));
  EXPECT_EQ(rules_of(Mode::kSimulated).answer, AnswerNeeds::kResult);
  EXPECT_EQ(rules_of(Mode::kPseudoDynamic).answer, AnswerNeeds::kDurableResult);
  EXPECT_EQ(rules_of(Mode::kContinuous).answer, AnswerNeeds::kResultAndState);
  EXPECT_EQ(rules_of(Mode::kRealTime).answer, AnswerNeeds::kResultAndState);
}

TEST(PaceRules, SayWhichStepsAreSkippedRepeatedOrSaidAgain) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.skips_steps; }),
            (Modes{Mode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.late_rows > 0; }),
            (Modes{Mode::kRealTime}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.repeats_steps; }),
            (Modes{Mode::kSimulated, Mode::kPseudoDynamic}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.resends_targets; }),
            (Modes{Mode::kSimulated, Mode::kPseudoDynamic, Mode::kContinuous}));
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.freezes_on_hold; }),
            (Modes{Mode::kPseudoDynamic}));
}

TEST(PaceRules, SayWhereAStepMayBringFeedForward) {
  EXPECT_EQ(modes_with([](const PaceRules& rules) { return rules.feedforward; }),
            (Modes{Mode::kSimulated, Mode::kRealTime}));
}

}  // namespace
}  // namespace trestle
