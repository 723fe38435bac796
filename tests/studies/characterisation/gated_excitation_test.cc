#include "studies/characterisation/gated_excitation.h"

#include <gtest/gtest.h>

#include "studies/characterisation/motion_signal.h"
#include "tests/studies/characterisation/prompt_rig.h"

namespace trestle::characterisation::rig_exercise_test {
namespace {

void run(GatedExcitation& exercise, const ExcitationSegment& move) {
  exercise.begin(move);
  while (exercise.tick({})) {
  }
}

TEST(GatedExcitation, RecordsWithEachDriveWhatItDid) {
  PromptRig rig;
  GatedExcitation exercise(RigLimits(2), kTick, rig);
  ASSERT_FALSE(exercise.open({}));
  const ExcitationSegment move{1, motion::raised_cosine(0.001, 0.1, kTick)};
  run(exercise, move);
  run(exercise, move);
  ASSERT_FALSE(exercise.fault());
  const ExerciseRecord& record = exercise.record();
  for (std::size_t n = 0; n < move.offsets.size(); ++n) {
    EXPECT_EQ(record.drive[n], move.offsets[n]);
    EXPECT_EQ(record.displacement[1][n], 0.004 + move.offsets[n]);
    EXPECT_EQ(record.displacement[0][n], 0.004);
  }
  // One read opens, one closes each drive: the end-of-step measurement of a move opens the
  // next.
  EXPECT_EQ(rig.writes, 2 * static_cast<int>(move.offsets.size()));
  EXPECT_EQ(rig.reads, rig.writes + 1);
  EXPECT_EQ(rig.drive, exercise.position());
}

/// Its servo settles at 0.8 of its drive.
class ShortRig final : public PromptRig {
 public:
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override {
    const AdapterStatus status = PromptRig::read(now, sensed);
    sensed.displacement *= 0.8;
    return status;
  }
  AdapterStatus write(const ActuatorVector& next) noexcept override {
    if (writes == 0) first = next;
    return PromptRig::write(next);
  }
  std::span<const double> drive_in_force() const noexcept override {
    return tells ? std::span<const double>(drive.data(), 2) : std::span<const double>();
  }

  ActuatorVector first;
  bool tells = false;
};

TEST(GatedExcitation, BeginsFromTheDriveInForceAndNotFromTheMeasurement) {
  const auto first_drive = [](ShortRig& rig, const std::optional<DriveInForce>& stood) {
    GatedExcitation exercise(RigLimits(2), kTick, rig);
    exercise.stood(stood);
    EXPECT_FALSE(exercise.open({}));
    run(exercise, {0, motion::raised_cosine(0.001, 0.1, kTick)});
    EXPECT_FALSE(exercise.fault());
    return rig.first[1];
  };
  const ActuatorVector drive = ActuatorVector::Constant(2, 0.004);
  const DriveInForce told{drive, drive, drive, 0.8 * drive};
  ShortRig told_by_a_person;
  EXPECT_EQ(first_drive(told_by_a_person, told), 0.004);
  ShortRig reports;
  reports.tells = true;
  EXPECT_EQ(first_drive(reports, std::nullopt), 0.004);
  ShortRig moved_since;
  moved_since.drive *= 2.0;
  EXPECT_EQ(first_drive(moved_since, told), 0.8 * 0.008);
  ShortRig unknown;
  EXPECT_EQ(first_drive(unknown, std::nullopt), 0.8 * 0.004);
}

TEST(GatedExcitation, EveryDrivePassesTheGate) {
  const ExcitationSegment move{0, motion::raised_cosine(0.002, 0.1, kTick)};
  RigLimits limits(2);
  limits[0].rate = 0.5 * motion::largest_rate(move.offsets, kTick);
  PromptRig rig;
  GatedExcitation exercise(limits, kTick, rig);
  exercise.open({});
  run(exercise, move);
  EXPECT_EQ(exercise.fault().kind, FaultKind::kRateLimit);
  EXPECT_EQ(exercise.fault().index, 0);
  EXPECT_GT(rig.holds, 0);
  const ActuatorVector held = rig.drive;
  EXPECT_FALSE(exercise.tick({}));
  EXPECT_EQ(rig.drive, held);
}

TEST(GatedExcitation, EveryReadingPassesTheGate) {
  const ExcitationSegment move{0, motion::raised_cosine(0.002, 0.1, kTick)};
  RigLimits limits(2);
  limits[0].force = 5000.0;  // it stands at 4000 N
  PromptRig rig;
  GatedExcitation exercise(limits, kTick, rig);
  ASSERT_FALSE(exercise.open({}));
  run(exercise, move);
  EXPECT_EQ(exercise.fault().kind, FaultKind::kForceLimit);
  EXPECT_GT(exercise.fault().value, 5000.0);
  EXPECT_GT(rig.holds, 0);
}

TEST(GatedExcitation, ARigAboveAForceLimitDoesNotEvenBegin) {
  RigLimits limits(2);
  limits[1].force = 3000.0;
  PromptRig rig;
  GatedExcitation exercise(limits, kTick, rig);
  EXPECT_EQ(exercise.open({}).kind, FaultKind::kForceLimit);
  run(exercise, {0, motion::raised_cosine(0.001, 0.1, kTick)});
  EXPECT_EQ(rig.writes, 0);
}

TEST(GatedExcitation, AReadingThatDoesNotComeEndsIt) {
  PromptRig rig;
  rig.late_read = 20;
  GatedExcitation exercise(RigLimits(2), kTick, rig);
  exercise.open({});
  run(exercise, {0, motion::raised_cosine(0.001, 0.1, kTick)});
  EXPECT_EQ(exercise.fault().kind, FaultKind::kAdapter);
  EXPECT_GT(rig.holds, 0);
}

TEST(MotionSignal, BeginsAndEndsAtRestWithinItsAmplitude) {
  const motion::Band band{0.5, 20.0};
  for (const std::vector<double>& offsets :
       {motion::raised_cosine(0.002, 1.0, kTick),
        motion::smooth_step(0.002, 0.1, 0.5, kTick),
        motion::chirp(0.002, band, 10.0, kTick),
        motion::band_noise(0.002, band, 10.0, kTick, 3)}) {
    EXPECT_EQ(offsets.front(), 0.0);
    EXPECT_EQ(offsets.back(), 0.0);
    EXPECT_LE(motion::largest(offsets), 0.002 * (1.0 + 1e-12));
    EXPECT_GT(motion::largest(offsets), 0.0018);
    EXPECT_LT(std::abs(offsets[1]), 1e-5);
    EXPECT_LT(std::abs(offsets[offsets.size() - 2]), 1e-5);
  }
}

}  // namespace
}  // namespace trestle::characterisation::rig_exercise_test
