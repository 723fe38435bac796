#include "core/types/step_range.h"

#include <gtest/gtest.h>

namespace trestle::step_range_test {
namespace {

TEST(StepRange, IsReadAsItIsWritten) {
  for (const StepRange& steps : {StepRange{0, 0}, StepRange{2514, 7631}, StepRange{-1, 4}})
    EXPECT_EQ(parse_steps(format_steps(steps)), steps) << format_steps(steps);
  EXPECT_EQ(format_steps({7, 7}), "step 7") << "as earlier versions";
  EXPECT_EQ(format_steps({7, 8}), "steps 7 to 8");
}

TEST(StepRange, IsNotReadFromAnotherText) {
  for (const char* text :
       {"", "step", "step ", "step x", "steps 3", "steps 3 to ", "steps 4 to 3",
        "step 3 came after a later one", "step 99999999999999999999", "Step 3"})
    EXPECT_EQ(parse_steps(text), std::nullopt) << text;
}

}  // namespace
}  // namespace trestle::step_range_test
