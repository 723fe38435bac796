#include "studies/rehearsal/faulty_network.h"

#include <gtest/gtest.h>

#include <chrono>
#include <variant>

#include "core/timing/virtual_clock.h"

namespace trestle::rehearsal::fault_network_test {
namespace {

using std::chrono::seconds;

class FaultNetworkTest : public ::testing::Test {
 protected:
  void send(int count) {
    for (int i = 0; i < count; ++i)
      network.send(1, FaultyNetwork::kToSite,
                   SessionMessage{StatusRequest{std::to_string(sent_++)}});
  }
  /// What has arrived at site 1 up to now, in order.
  std::vector<int> arrived() {
    std::vector<int> numbers;
    while (network.receive(1, FaultyNetwork::kToSite, incoming_))
      numbers.push_back(std::stoi(std::get<StatusRequest>(incoming_.session).what));
    return numbers;
  }
  std::vector<int> all() {
    clock.advance_to(clock.now() + seconds(100));
    return arrived();
  }
  static ScheduledFault fault(FaultType sort, double amount, int detail = 0) {
    return {sort, 1, 0, seconds(10), amount, detail};
  }

  timing::VirtualClock clock;
  FaultyNetwork network{2, clock, ScenarioRandom(1, 1, 1)};

 private:
  ReceivedMessage incoming_;
  int sent_ = 0;
};

TEST_F(FaultNetworkTest, BringsEveryMessageAtOnceAndInOrder) {
  send(3);
  EXPECT_EQ(arrived(), (std::vector{0, 1, 2}));
  EXPECT_EQ(network.next_delivery(clock.now()), TimePoint::max());
}

TEST_F(FaultNetworkTest, LosesDoublesDelaysAndReorders) {
  network.begin(fault(FaultType::kLoss, 0.5));
  send(100);
  EXPECT_NEAR(static_cast<double>(all().size()), 50.0, 20.0);
  network.begin(fault(FaultType::kDuplication, 0.5));
  send(100);
  EXPECT_NEAR(static_cast<double>(all().size()), 150.0, 20.0);
  network.begin(fault(FaultType::kDelay, 1.0));
  send(100);
  EXPECT_LT(arrived().size(), 5U);
  EXPECT_LT(network.next_delivery(clock.now()), clock.now() + seconds(1));
  EXPECT_GT(all().size(), 95U);
  network.begin(fault(FaultType::kReordering, 0.3));
  send(100);
  const std::vector<int> order = all();
  EXPECT_EQ(order.size(), 100U);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(FaultNetworkTest, StopsOneWayAndIsWholeAgainAfterwards) {
  network.begin(fault(FaultType::kOneWay, 0.0, 0));
  send(3);
  network.send(1, FaultyNetwork::kToIntegrator, SessionMessage{StatusRequest{}});
  ReceivedMessage incoming;
  EXPECT_TRUE(network.receive(1, FaultyNetwork::kToIntegrator, incoming));
  EXPECT_TRUE(all().empty());
  send(1);
  EXPECT_EQ(all(), std::vector{3});
}

TEST_F(FaultNetworkTest, LosesWhatWasOnItsWayToANodeThatDied) {
  send(2);
  network.forget_to(1);
  EXPECT_TRUE(all().empty());
}

}  // namespace
}  // namespace trestle::rehearsal::fault_network_test
