#include "site-servers/node/integrator_peer.h"

#include <gtest/gtest.h>

#include "core/timing/virtual_clock.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle::site_node::integrator_peer_test {
namespace {

using std::chrono::milliseconds;

constexpr TimePoint at_ms(int time) {
  return TimePoint{milliseconds(time)};
}

struct Bench {
  explicit Bench(IntegratorPeer::SystemClock system_clock = {})
      : system(std::move(system_clock)), peer(transport, clock, false, system) {}
  void tick(int time) {
    clock.advance_to(at_ms(time));
    peer.begin_tick(at_ms(time));
  }

  testing::ScriptedTransport transport;
  timing::VirtualClock clock;
  IntegratorPeer::SystemClock system;
  IntegratorPeer peer;
};

TEST(IntegratorPeer, OwesAWordAPeriodAfterAnythingThatWasSaid) {
  Bench bench;
  bench.tick(10);
  EXPECT_FALSE(bench.peer.spoke());
  StepResponse response;
  bench.peer.answer(response);
  EXPECT_FALSE(bench.peer.spoke()) << "an answer says nothing of the session";
  EXPECT_EQ(bench.peer.next_word(milliseconds(500), false), at_ms(510));
  bench.tick(509);
  EXPECT_FALSE(bench.peer.is_word_due(milliseconds(500), false));
  bench.tick(510);
  EXPECT_TRUE(bench.peer.is_word_due(milliseconds(500), false));
  bench.peer.say(SessionMessage{Resumed{}});
  EXPECT_TRUE(bench.peer.spoke());
  EXPECT_EQ(bench.peer.said_at(), at_ms(510));
}

TEST(IntegratorPeer, OwesAHeartbeatAPeriodWhateverElseItSays) {
  Bench bench;
  bench.tick(100);
  bench.peer.say_heartbeat({});
  bench.tick(400);
  StepResponse response;
  bench.peer.answer(response);
  EXPECT_EQ(bench.peer.next_word(milliseconds(500), true), at_ms(600));
  EXPECT_EQ(bench.peer.next_word(milliseconds(500), false), at_ms(900));
  bench.tick(600);
  EXPECT_TRUE(bench.peer.is_word_due(milliseconds(500), true));
  EXPECT_FALSE(bench.peer.is_word_due(milliseconds(500), false));
}

TEST(IntegratorPeer, MeasuresSilenceFromTheLastSignOfLife) {
  Bench bench;
  bench.tick(100);
  bench.peer.note_sign_of_life();
  bench.tick(350);
  EXPECT_EQ(bench.peer.heard_at(), at_ms(100));
  EXPECT_EQ(bench.peer.silence(), Duration{milliseconds(250)});
}

TEST(IntegratorPeer, StampsAMessageWhenItIsReceived) {
  Bench bench;
  bench.tick(70);
  bench.transport.arrives(0, SessionMessage{Start{}});
  ReceivedMessage incoming;
  EXPECT_TRUE(bench.peer.receive(incoming));
  EXPECT_EQ(bench.peer.received_at(), at_ms(70));
  EXPECT_FALSE(bench.peer.receive(incoming));
}

TEST(IntegratorPeer, TellsTheHostsClockOnlyWhereItIsWanted) {
  SystemClockReading reading;
  reading.own = at_ms(0);
  reading.system = at_ms(5000);
  Bench bench([reading] { return std::optional(reading); });
  bench.tick(20);
  EXPECT_EQ(bench.peer.heartbeat({1, 2, 3}, false).system, TimePoint{});
  const Heartbeat beat = bench.peer.heartbeat({1, 2, 3}, true);
  EXPECT_EQ(beat.system, at_ms(5020)) << "when it was sent";
  EXPECT_EQ(beat.session, (SessionId{1, 2, 3}));
}

}  // namespace
}  // namespace trestle::site_node::integrator_peer_test
