#include <gtest/gtest.h>

#include "tests/site-servers/control/compensator_kinds.h"
#include "tests/site-servers/control/tracking_trial.h"
#include "tests/support/heap_counter.h"

namespace trestle {
namespace {

TEST(CompensatorHeap, NoTickAllocates) {
  std::vector<testing::CompensatorKind> kinds = testing::compensator_kinds();
  for (testing::CompensatorKind& kind : testing::ungated_kinds())
    kinds.push_back(std::move(kind));
  constexpr double kTick = 1.0 / 1024.0;
  for (const testing::CompensatorKind& kind : kinds) {
    const auto compensator = kind.make(kMaxActuators, kTick);
    ActuatorMotion target = ActuatorMotion::zero(kMaxActuators);
    ActuatorVector command = ActuatorVector::Zero(kMaxActuators);
    const std::size_t before = testing::heap_allocations();
    for (int n = 0; n < 1500; ++n) {
      target.displacement.setConstant(0.01 * std::sin(0.02 * n));
      target.velocity.setConstant(0.2 * std::cos(0.02 * n));
      command = compensator->command(target, 0.9 * target.displacement, command);
    }
    compensator->reset();
    EXPECT_EQ(testing::heap_allocations() - before, 0U) << kind.name;
  }
}

}  // namespace
}  // namespace trestle
