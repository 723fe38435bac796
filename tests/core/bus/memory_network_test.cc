#include "core/bus/memory_network.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "core/network/link_model.h"
#include "tests/support/sample_messages.h"

namespace trestle::bus {
namespace {

using namespace std::chrono_literals;

TimePoint at(Duration time) {
  return TimePoint{time};
}

class SetClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return time; }
  void advance_to(TimePoint until) noexcept override { time = until; }
  TimePoint time{};
};

class LinkedNetwork : public ::testing::Test {
 protected:
  void link(const network::LinkSettings& settings) { network_.link(0, settings, clock_); }
  static network::LinkSettings delayed(Duration delay) {
    network::LinkSettings settings;
    settings.delay = settings.return_delay = delay;
    return settings;
  }
  /// Messages that the site can take at `time`.
  int taken(Duration time) {
    clock_.time = at(time);
    int count = 0;
    while (network_.site(0).receive(in_)) ++count;
    return count;
  }

  SetClock clock_;
  MemoryNetwork network_{2};
  StepCommand command_ = testing::sample_command(2, true);
  StepResponse response_ = testing::sample_response(2, 2);
  ReceivedMessage in_;
};

TEST_F(LinkedNetwork, HandsAMessageOverWhenItHasArrivedAndNotBefore) {
  link(delayed(75ms));
  ASSERT_TRUE(network_.integrator().send(0, command_));
  EXPECT_EQ(taken(75ms - 1ns), 0);
  EXPECT_EQ(taken(75ms), 1);
  EXPECT_TRUE(testing::same(in_.command, command_));
  ASSERT_TRUE(network_.site(0).send(0, response_));
  clock_.time = at(150ms - 1ns);
  EXPECT_FALSE(network_.integrator().receive(in_));
  clock_.time = at(150ms);
  ASSERT_TRUE(network_.integrator().receive(in_));
  EXPECT_TRUE(testing::same(in_.response, response_));
  EXPECT_EQ(in_.peer, 0);
}

TEST_F(LinkedNetwork, SaysWhenSomethingArrives) {
  link(delayed(75ms));
  EXPECT_EQ(network_.next_delivery(at(0s)), TimePoint::max());
  network_.integrator().send(0, command_);
  clock_.time = at(5ms);
  network_.integrator().send(0, Start{});
  network_.site(0).send(0, response_);
  EXPECT_EQ(network_.next_delivery(at(5ms)), at(75ms));
  EXPECT_EQ(network_.next_delivery(at(75ms)), at(80ms)) << "the first one is there";
  EXPECT_EQ(network_.next_delivery(at(80ms)), TimePoint::max());
  EXPECT_EQ(taken(80ms), 2);
  EXPECT_TRUE(network_.integrator().receive(in_));
}

TEST_F(LinkedNetwork, LeavesTheOtherSitesAlone) {
  link(delayed(75ms));
  ASSERT_TRUE(network_.integrator().send(1, command_));
  EXPECT_TRUE(network_.site(1).receive(in_));
  EXPECT_EQ(network_.next_delivery(at(0s)), TimePoint::max());
}

TEST_F(LinkedNetwork, TakesTheTimeThatTheBytesOnTheWireNeed) {
  network::LinkSettings settings = delayed(10ms);
  settings.bandwidth = 1e6;
  link(settings);
  MessageCodec codec;
  const auto transmission_end = [](std::size_t bytes) {
    return Duration{std::llround(static_cast<double>(bytes) * 8.0 * 1e3)};
  };
  const Duration step = transmission_end(codec.encode(command_).size());
  const Duration start = transmission_end(codec.encode(SessionMessage{Start{}}).size());
  network_.integrator().send(0, command_);
  network_.integrator().send(0, Start{});
  EXPECT_EQ(network_.next_delivery(at(0s)), at(10ms + step));
  EXPECT_EQ(network_.next_delivery(at(10ms + step)), at(10ms + step + start));
}

TEST_F(LinkedNetwork, LosesWhatAnOutageTakesWithoutAWord) {
  network::LinkSettings settings = delayed(75ms);
  settings.outages = {.every = 60s, .duration = 1s, .first = 100ms, .regular = true};
  link(settings);
  EXPECT_TRUE(network_.integrator().send(0, command_));
  EXPECT_EQ(taken(90ms), 1);
  EXPECT_TRUE(network_.integrator().send(0, command_)) << "on its way when it begins";
  clock_.time = at(500ms);
  EXPECT_TRUE(network_.integrator().send(0, Start{})) << "sent in it";
  EXPECT_EQ(network_.next_delivery(at(500ms)), TimePoint::max());
  EXPECT_EQ(taken(2s), 0);
  EXPECT_TRUE(network_.integrator().send(0, Start{}));
  EXPECT_EQ(taken(2075ms), 1);
}

TEST_F(LinkedNetwork, SaysThatSomethingLiesThereUnread) {
  link(delayed(75ms));
  EXPECT_FALSE(network_.unread());
  network_.integrator().send(0, command_);
  EXPECT_FALSE(network_.unread()) << "it is on its way";
  clock_.time = at(75ms);
  EXPECT_TRUE(network_.unread());
  EXPECT_EQ(taken(75ms), 1);
  EXPECT_FALSE(network_.unread());
}

TEST_F(LinkedNetwork, HoldsABoundedNumberOfMessages) {
  link(delayed(75ms));
  for (std::size_t n = 0; n < MemoryNetwork::kLinkedQueueLength; ++n)
    ASSERT_TRUE(network_.integrator().send(0, command_)) << n;
  EXPECT_FALSE(network_.integrator().send(0, command_));
  EXPECT_EQ(taken(75ms), static_cast<int>(MemoryNetwork::kLinkedQueueLength));
  EXPECT_TRUE(network_.integrator().send(0, command_));
}

TEST_F(LinkedNetwork, WithoutALinkHoldsSixtyFour) {
  for (int n = 0; n < 64; ++n) ASSERT_TRUE(network_.integrator().send(0, command_)) << n;
  EXPECT_FALSE(network_.integrator().send(0, command_));
  EXPECT_EQ(taken(0s), 64);
}

TEST_F(LinkedNetwork, DeliversAsTheModelSays) {
  network::LinkSettings settings = delayed(75ms);
  settings.jitter = 5ms;
  settings.loss = 0.1;
  settings.seed = 7;
  link(settings);
  network::LinkModel model(settings, network::LinkDirection::kToSite);
  MessageCodec codec;
  const std::size_t bytes = codec.encode(command_).size();
  for (int n = 0; n < 200; ++n) {
    clock_.time = at(n * 1s);
    network_.integrator().send(0, command_);
    const TimePoint arrives = model.delivery(at(n * 1s), bytes).delivered;
    ASSERT_EQ(network_.next_delivery(at(n * 1s)), arrives);
    ASSERT_EQ(taken(arrives.time_since_epoch()), 1);
  }
}

}  // namespace
}  // namespace trestle::bus
