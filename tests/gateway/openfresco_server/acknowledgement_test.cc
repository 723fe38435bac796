#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "core/timing/virtual_clock.h"
#include "gateway/openfresco_server/openfresco_gateway.h"
#include "tests/gateway/openfresco_server/gateway_host.h"
#include "tests/gateway/openfresco_server/openfresco_bytes.h"

namespace trestle::openfresco_server::acknowledgement_test {
namespace {

using State = ExternalTargetSource::State;

/// A stream whose client sends small messages with Nagle's algorithm on: it holds each back
/// until the one before it is acknowledged. An answer acknowledges; so does a look for more
/// that finds nothing.
class OwingPort final : public ClientPort {
 public:
  State look() noexcept override { return State::kClient; }
  std::size_t receive(std::span<std::byte> room) noexcept override {
    ++looks;
    if (arrived.empty()) {
      owes = false;
      return 0;
    }
    const Bytes bytes = arrived.front();
    arrived.pop_front();
    std::copy(bytes.begin(), bytes.end(), room.begin());
    owes = true;
    return bytes.size();
  }
  void send(std::span<const std::byte> /*bytes*/,
            std::size_t /*datagram*/) noexcept override {
    owes = false;
    ++answers;
  }
  void acknowledge() noexcept override {
    if (owes) ++acknowledged;
    owes = false;
  }
  bool sent() noexcept override { return true; }
  void engage() noexcept override {}
  void release() noexcept override {}
  void drop() noexcept override {}
  bool datagrams() const noexcept override { return false; }
  int descriptor() const noexcept override { return -1; }
  const std::string& client() const noexcept override { return name_; }
  const std::string& address() const noexcept override { return name_; }
  std::uint64_t rejected_connections() const noexcept override { return 0; }
  std::vector<std::string> take_notices() override { return {}; }

  std::deque<Bytes> arrived;
  bool owes = false;  ///< what was read last waits for its acknowledgement
  int acknowledged = 0;
  int answers = 0;
  int looks = 0;

 private:
  std::string name_ = "client";
};

constexpr std::size_t kReals = 16;

class Acknowledgement : public ::testing::Test {
 protected:
  Acknowledgement() {
    port_.arrived.push_back(generic_sizes(1, kReals));
    EXPECT_TRUE(gateway_.look());
    gateway_.prepare();
  }
  Bytes word(double code, double displacement = 0.0) const {
    return reals({code, displacement}, kReals);
  }
  /// What the thread does that drives the node, until it sleeps.
  State until_it_sleeps() {
    State said = State::kPending;
    do said = gateway_.next();
    while (said == State::kPending && gateway_.take_unread());
    return said;
  }

  timing::VirtualClock clock_;
  GatewaySettings settings_ = one_spring();
  OwingPort port_;
  OpenFrescoGateway gateway_{settings_, port_, clock_};
};

// The commit came after the last look that found nothing; the client holds the next trial
// back until the commit is acknowledged, and nothing wakes the gateway before.
TEST_F(Acknowledgement, OfAWordWithoutAnAnswerGoesBeforeTheGatewaySleeps) {
  EXPECT_EQ(until_it_sleeps(), State::kPending);
  port_.arrived.push_back(word(5));
  EXPECT_EQ(until_it_sleeps(), State::kPending);
  EXPECT_FALSE(port_.owes);
  EXPECT_EQ(port_.acknowledged, 1);
  EXPECT_EQ(gateway_.commits(), 1);
}

TEST_F(Acknowledgement, OfATrialGoesBeforeTheGatewaySleepsOverAMovingRig) {
  port_.arrived.push_back(word(3, 0.5));
  EXPECT_EQ(until_it_sleeps(), State::kTargetReady);
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(1), {}, {}}};
  gateway_.predict(0, requests);
  EXPECT_FALSE(gateway_.take_unread());
  EXPECT_FALSE(port_.owes);
}

// A trial and the question after it came together: the client is silent until it is
// answered. Each look for more would be an acknowledgement and three calls in vain; that
// the client is still there is asked once in a millisecond.
TEST_F(Acknowledgement, OfAQuestionThatIsHeldIsLeftToItsAnswer) {
  Bytes both = word(3, 0.5);
  const Bytes question = word(10);
  both.insert(both.end(), question.begin(), question.end());
  port_.arrived.push_back(both);
  EXPECT_EQ(until_it_sleeps(), State::kTargetReady);
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(1), {}, {}}};
  gateway_.predict(0, requests);
  const int before = port_.looks;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(gateway_.attend());
  EXPECT_EQ(port_.looks, before);
  clock_.advance_to(clock_.now() + std::chrono::milliseconds(1));
  EXPECT_TRUE(gateway_.attend());
  EXPECT_EQ(port_.looks, before + 1);
}

TEST_F(Acknowledgement, GoesWithTheAnswerWhereThereIsOne) {
  port_.arrived.push_back(word(10));
  EXPECT_EQ(until_it_sleeps(), State::kPending);
  EXPECT_EQ(port_.answers, 1);
  EXPECT_FALSE(port_.owes);
  EXPECT_EQ(port_.acknowledged, 0) << "the answer has said it";
}

}  // namespace
}  // namespace trestle::openfresco_server::acknowledgement_test
