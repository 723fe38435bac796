#include "studies/characterisation/equipment_driver.h"

#include <gtest/gtest.h>

#include <atomic>

#include "studies/characterisation/motion_signal.h"
#include "tests/studies/characterisation/prompt_rig.h"

namespace trestle::characterisation::equipment_driver_test {
namespace {

constexpr double kPeriod = 0.01;

// The clock that counts the ticks stood still meanwhile: none of them was late.
TEST(EquipmentDriver, StopsWhenItsHostHasSlept) {
  PromptRig rig;
  std::atomic<Duration> slept{};
  GatedExcitation exercise(RigLimits(2), kPeriod, rig);
  EquipmentDriverSettings settings;
  settings.tick = kPeriod;
  settings.most_overruns = 1'000'000;  // of time nothing else is asked here
  settings.longest_tick = std::chrono::hours(1);
  settings.asleep = [&slept] {
    return slept.load();
  };
  {
    EquipmentDriver driver(settings, rig);
    driver.open(exercise);
    ASSERT_FALSE(exercise.fault());
    ASSERT_TRUE(driver.drive(exercise, {1, motion::raised_cosine(1e-3, 0.1, kPeriod)}));
    slept = std::chrono::seconds(40);
    EXPECT_FALSE(driver.drive(exercise, {1, motion::raised_cosine(1e-3, 10.0, kPeriod)}));
    EXPECT_EQ(exercise.fault().kind, FaultKind::kSuspended);
    EXPECT_EQ(exercise.fault().value, 40.0);
  }
  EXPECT_GT(rig.holds, 0);
  EXPECT_EQ(rig.drive, ActuatorVector::Constant(2, 0.004)) << "nothing was driven after it";
}

}  // namespace
}  // namespace trestle::characterisation::equipment_driver_test
