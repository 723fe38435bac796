#include <gtest/gtest.h>

#include "studies/characterise/motion_signal.h"
#include "studies/characterise/rig_exercise.h"
#include "tests/studies/characterise/prompt_rig.h"
#include "tests/support/heap_counter.h"

namespace trestle {
namespace {

TEST(RigExercise, ItsTicksLeaveTheHeapAlone) {
  PromptRig rig;
  RigExercise exercise(RigLimits(2), kTick, rig);
  exercise.open({});
  const ExerciseMove move{1, motion::bump(0.001, 0.5, kTick)};
  exercise.begin(move);
  const std::size_t before = testing::heap_allocations();
  while (exercise.tick({})) {
  }
  EXPECT_EQ(testing::heap_allocations(), before);
  EXPECT_GT(rig.writes, 500);
}

}  // namespace
}  // namespace trestle
