#include "numerical/node/site_peer.h"

#include <gtest/gtest.h>

#include "tests/numerical/node/session_fakes.h"

namespace trestle::integrator_node::site_peer_test {
namespace {

using std::chrono::milliseconds;

constexpr TimePoint at(int millisecond) {
  return TimePoint{milliseconds(millisecond)};
}

struct Bench {
  SiteSpecification site{.name = "east",
                         .where = "tcp://east",
                         .layout = {},
                         .limits = {},
                         .compensator = {},
                         .controller = {}};
  testing::ScriptedTransport transport;
  SitePeer peer{1, site, transport, false};
};

TEST(SitePeer, CountsItsSilenceFromTheLastWordThatIsASignOfLife) {
  Bench bench;
  bench.peer.begin(at(0));
  bench.peer.send(Heartbeat{}, at(100));
  EXPECT_EQ(bench.peer.silence(at(150)), milliseconds(50));
  bench.peer.say(Rejection{"no"});
  EXPECT_EQ(bench.peer.silence(at(150)), milliseconds(50));
  StepCommand command;
  EXPECT_EQ(bench.peer.send(command, at(160), at(155)), at(160))
      << "a transport that keeps no time: when it was stamped";
  EXPECT_EQ(command.exchange.transmit, at(160));
  EXPECT_EQ(bench.peer.silence(at(155)), Duration::zero());
}

TEST(SitePeer, MeasuresTheRoundTripOfTheWordThatWasAnsweredLast) {
  Bench bench;
  bench.peer.asked(at(0));
  bench.peer.agreed(at(8));
  EXPECT_EQ(bench.peer.round_trip(), milliseconds(8));
  bench.peer.ordered(at(100));
  bench.peer.read(at(103));
  EXPECT_EQ(bench.peer.round_trip(), milliseconds(3));
  bench.peer.asked(at(200));
  bench.peer.agreed_again(at(201));
  EXPECT_EQ(bench.peer.round_trip(), milliseconds(3)) << "the longer one";
}

TEST(SitePeer, BeginsAWaitNoLaterBecauseItIsNotedAgain) {
  Bench bench;
  bench.peer.note_wait(Awaited::kAnswer, 4, at(10));
  bench.peer.note_wait(Awaited::kAnswer, 4, at(20));
  EXPECT_EQ(bench.peer.wait().since, at(10));
  bench.peer.note_wait(Awaited::kAnswer, 5, at(30));
  EXPECT_EQ(bench.peer.wait().since, at(30));
}

TEST(SitePeer, TakesNoWordForASignThatItsRigIsLookedAfter) {
  Bench bench;
  PeerWords& words = bench.peer.words;
  Health running;
  running.state = session::name(session::SessionState::kRunning);
  running.cycles = 7;
  words.hear(running, at(10));
  EXPECT_EQ(words.alive_at(), at(10));
  words.hear(running, at(20));
  EXPECT_EQ(words.alive_at(), at(10)) << "the control loop has not gone on";
  EXPECT_EQ(words.heard_at(), at(20));
  running.cycles = 8;
  running.overdue = milliseconds(1);
  words.hear(running, at(30));
  EXPECT_EQ(words.alive_at(), at(10)) << "a cycle is overdue";
  running.cycles = 9;
  running.overdue = Duration::zero();
  words.hear(running, at(40));
  EXPECT_EQ(words.alive_at(), at(40));
}

TEST(PeerSession, HoldsAgainAfterItWasTakenBack) {
  PeerSession session;
  session.begin();
  session.agree();
  session.arm();
  EXPECT_TRUE(session.start());
  EXPECT_FALSE(session.start()) << "it runs";
  session.take_back();
  EXPECT_TRUE(session.away());
  EXPECT_TRUE(session.in(session::SessionState::kConnected));
  session.hold_again();
  EXPECT_FALSE(session.away());
  EXPECT_TRUE(session.held());
  EXPECT_TRUE(session.in(session::SessionState::kHolding));
}

}  // namespace
}  // namespace trestle::integrator_node::site_peer_test
