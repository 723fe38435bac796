#include <gtest/gtest.h>

#include "studies/characterisation/gated_excitation.h"
#include "studies/characterisation/motion_signal.h"
#include "tests/studies/characterisation/prompt_rig.h"
#include "tests/support/heap_counter.h"

namespace trestle::characterisation {
namespace {

TEST(GatedExcitation, ItsTicksLeaveTheHeapAlone) {
  PromptRig rig;
  GatedExcitation exercise(RigLimits(2), kTick, rig);
  exercise.open({});
  const ExcitationSegment move{1, motion::raised_cosine(0.001, 0.5, kTick)};
  exercise.begin(move);
  const std::size_t before = testing::heap_allocations();
  while (exercise.tick({})) {
  }
  EXPECT_EQ(testing::heap_allocations(), before);
  EXPECT_GT(rig.writes, 500);
}

TEST(GatedExcitation, StandsBetweenTwoMovesAndRecordsNothingThen) {
  PromptRig rig;
  GatedExcitation exercise(RigLimits(2), kTick, rig);
  exercise.open({});
  const ExcitationSegment move{1, motion::raised_cosine(0.001, 0.5, kTick)};
  for (int n = 0; n < 10; ++n) EXPECT_TRUE(exercise.stand({}));
  ExerciseRecord room = exercise.room_for(move);
  const std::size_t before = testing::heap_allocations();
  exercise.begin(move, std::move(room));
  while (exercise.tick({})) {
  }
  const int writes = rig.writes;
  for (int n = 0; n < 10; ++n) EXPECT_TRUE(exercise.stand({}));
  EXPECT_EQ(testing::heap_allocations(), before);
  EXPECT_EQ(rig.writes, writes + 10) << "real equipment is driven on";
  EXPECT_EQ(exercise.record().drive.size(), move.offsets.size());
  GatedExcitation undisturbed(RigLimits(2), kTick, rig);
  undisturbed.open({});
  undisturbed.begin(move);
  while (undisturbed.tick({})) {
  }
  EXPECT_EQ(exercise.record().displacement, undisturbed.record().displacement);
  exercise.stop({FaultKind::kOverrun, -1, 1.0, 0.5});
  EXPECT_FALSE(exercise.stand({}));
  EXPECT_EQ(exercise.fault().kind, FaultKind::kOverrun);
}

}  // namespace
}  // namespace trestle::characterisation
