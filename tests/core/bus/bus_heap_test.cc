#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "core/bus/memory_network.h"
#include "core/bus/message_codec.h"
#include "core/timing/virtual_clock.h"
#include "tests/support/heap_counter.h"
#include "tests/support/sample_messages.h"

namespace trestle::bus {
namespace {

TEST(MessageCodec, StepMessagesLeaveTheHeapAloneOnceWarm) {
  MessageCodec sender;
  MessageCodec receiver;
  ReceivedMessage in;
  const StepCommand with = testing::sample_command(24, true);
  const StepCommand without = testing::sample_command(2, false);
  const StepResponse response = testing::sample_response(24, 16);
  std::size_t before = 0;
  for (int n = 0; n < 100; ++n) {
    if (n == 1) before = testing::heap_allocations();
    ASSERT_TRUE(receiver.decode(sender.encode(with), in));
    ASSERT_TRUE(receiver.decode(sender.encode(without), in));
    ASSERT_TRUE(receiver.decode(sender.encode(response), in));
  }
  EXPECT_EQ(testing::heap_allocations(), before);
}

TEST(MemoryNetwork, StepMessagesLeaveTheHeapAlone) {
  MemoryNetwork network(2);
  ReceivedMessage in;
  const StepCommand command = testing::sample_command(24, true);
  const StepResponse response = testing::sample_response(24, 16);
  const std::size_t before = testing::heap_allocations();
  for (int n = 0; n < 200; ++n) {
    ASSERT_TRUE(network.integrator().send(1, command));
    ASSERT_TRUE(network.site(1).receive(in));
    ASSERT_TRUE(network.site(1).send(0, response));
    ASSERT_TRUE(network.integrator().receive(in));
  }
  EXPECT_EQ(testing::heap_allocations(), before);
}

TEST(MemoryNetwork, StepMessagesOverALinkLeaveTheHeapAloneOnceWarm) {
  network::LinkSettings settings;
  settings.delay = settings.return_delay = settings.jitter = std::chrono::milliseconds(1);
  settings.outages = {.every = std::chrono::seconds(1),
                      .duration = std::chrono::milliseconds(100),
                      .first = {},
                      .regular = false};
  settings.bandwidth = 1e6;
  settings.loss = 0.1;
  timing::VirtualClock clock;
  MemoryNetwork network(1);
  network.link(0, settings, clock);
  ReceivedMessage in;
  const StepCommand command = testing::sample_command(24, true);
  const StepResponse response = testing::sample_response(24, 16);
  std::size_t before = 0;
  for (int n = 0; n < 2000; ++n) {
    if (n == 1) before = testing::heap_allocations();
    ASSERT_TRUE(network.integrator().send(0, command));
    ASSERT_TRUE(network.site(0).send(0, response));
    clock.advance_to(clock.now() + std::chrono::milliseconds(40));
    while (network.site(0).receive(in)) continue;
    while (network.integrator().receive(in)) continue;
  }
  EXPECT_EQ(testing::heap_allocations(), before);
}

}  // namespace
}  // namespace trestle::bus
