#include <gtest/gtest.h>

#include "core/timing/virtual_clock.h"
#include "site-servers/node/rig_service_loop.h"
#include "tests/site-servers/node/spring_rig.h"
#include "tests/support/heap_counter.h"

namespace trestle::site_node {
namespace {

constexpr double kTick = 1.0 / 128;

RigServiceSettings settings() {
  RigServiceSettings settings;
  settings.tick = kTick;
  settings.limits = RigLimits(2);
  for (ActuatorLimits& limit : settings.limits) limit.force = 2e3;
  const ActuatorVector one = ActuatorVector::Ones(2);
  settings.safe_action = {safety::SafeAction::Kind::kRampHome, 0.01 * one, 0.1 * one, one,
                          one};
  return settings;
}

TEST(RigServiceLoop, LeavesTheHeapAlone) {
  testing::SpringRig rig(2, 1);
  timing::VirtualClock clock;
  const ActuatorVector zero = ActuatorVector::Zero(2);
  const ActuatorVector far = ActuatorVector::Constant(2, 0.01);
  const RigMotionTask task{RigPath(zero, far, far, settings().limits, kTick), zero,
                           ActuatorVector::Constant(2, ActuatorLimits::kNone)};
  RigServiceLoop reading(settings(), rig, clock, 128);
  RigServiceLoop moving(settings(), rig, clock, task, clock.now());
  RigMotionTask sine = task;
  sine.path = RigPath(zero, zero, far, settings().limits, kTick);
  sine.sine.emplace(zero, ActuatorVector::Constant(2, 1e-5), 32);
  RigServiceLoop swinging(settings(), rig, clock, sine, clock.now());
  const std::size_t before = testing::heap_allocations();
  for (RigServiceLoop* loop : {&reading, &swinging, &moving})
    while (!loop->over()) {
      loop->hear(clock.now());
      clock.advance_to(loop->tick(clock.now()));
    }
  const std::size_t allocated = testing::heap_allocations() - before;
  EXPECT_EQ(allocated, 0U);
  EXPECT_EQ(reading.end(), RigTaskEnd::kRead);
  EXPECT_EQ(swinging.end(), RigTaskEnd::kThere);
  EXPECT_EQ(moving.end(), RigTaskEnd::kFault);  // at 2 kN, with the safe action after it
  EXPECT_EQ(rig.position, zero);
}

}  // namespace
}  // namespace trestle::site_node
