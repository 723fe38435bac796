#include <gtest/gtest.h>

#include <cmath>

#include "site-servers/controllers/lqg_controller.h"
#include "site-servers/controllers/published_sliding_mode.h"
#include "site-servers/controllers/sliding_mode_controller.h"
#include "site-servers/controllers/state_space_controller.h"
#include "tests/site-servers/control/servo_loop.h"
#include "tests/support/heap_counter.h"

namespace trestle {
namespace {

using testing::benchmark_plant;
using testing::heap_allocations;
using testing::kTick;

void expect_a_quiet_heap(ActuatorController& controller) {
  Measurement sensed = Measurement::zero(2);
  const std::size_t before = heap_allocations();
  for (int k = 0; k < 1000; ++k) {
    sensed.displacement << 1e-3 * std::sin(k), 1e-3 * std::cos(k);
    controller.drive(ActuatorVector::Constant(2, 0.02 * std::sin(0.01 * k)), sensed);
  }
  controller.reset();
  controller.drive(ActuatorVector::Zero(2), sensed);
  EXPECT_EQ(heap_allocations(), before);
}

controllers::ServoSettings settings() {
  return {
      .tick = kTick,
      .plant = {.model = benchmark_plant(), .delay = 3.0 * kTick, .process_noise = 0.01},
      .weights = {.integral = 1e5},
      .drive_limit = {0.01}};
}

TEST(ObservingControllers, LeaveTheHeapAlone) {
  controllers::LqgController lqg(2, settings());
  expect_a_quiet_heap(lqg);
  controllers::SlidingModeController sliding(2, {settings()});
  expect_a_quiet_heap(sliding);
  controllers::ServoSettings without_delay = settings();
  without_delay.plant.delay = 0.0;
  controllers::PublishedSlidingMode published(2, {without_delay});
  expect_a_quiet_heap(published);
  const auto model = lqg.linearise(2);
  controllers::StateSpaceController general(2, {.tick = kTick,
                                                .A = model->A,
                                                .B = model->B,
                                                .C = model->C,
                                                .D = model->D,
                                                .continuous = false});
  expect_a_quiet_heap(general);
}

}  // namespace
}  // namespace trestle
