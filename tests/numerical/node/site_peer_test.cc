#include "numerical/node/site_peer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "numerical/node/site_readings.h"
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

Health health_of_a_site() {
  Health health;
  health.state = session::name(session::SessionState::kConfigured);
  health.mean = {1e-5, 2e-6, -12.5, 0.5, 33.0};
  health.deviation = {2e-6, 1e-6, 4.0, 0.25, 1.5};
  health.auxiliary = {41.5, 1.0};
  return health;
}

SiteAgreement agreement_of_a_site() {
  SiteAgreement agreement;
  agreement.actuators = {{"1", DofKind::kTranslation}, {"2", DofKind::kRotation}};
  agreement.auxiliary = {{"oil", "C"}, {"estop", "0/1"}};
  return agreement;
}

TEST(SiteReadings, NameEachTransducerOfTheLastHeartbeat) {
  Bench bench;
  bench.peer.words.hear(health_of_a_site(), at(10));
  const std::vector<RigReading> readings =
      site_readings(agreement_of_a_site(), bench.peer.words.health());
  ASSERT_EQ(readings.size(), 7U);
  EXPECT_EQ(readings[0], (RigReading{"1.displacement", "m", 1e-5, 2e-6}));
  EXPECT_EQ(readings[1], (RigReading{"2.displacement", "rad", 2e-6, 1e-6}));
  EXPECT_EQ(readings[2], (RigReading{"1.force", "N", -12.5, 4.0}));
  EXPECT_EQ(readings[3], (RigReading{"2.force", "N.m", 0.5, 0.25}));
  EXPECT_EQ(readings[4], (RigReading{"load cell 1", "N", 33.0, 1.5}));
  EXPECT_EQ(readings[5].channel + " " + readings[5].unit, "oil C");
  EXPECT_EQ(readings[5].mean, 41.5);
  EXPECT_TRUE(std::isnan(readings[5].deviation)) << "it is the newest value alone";
  EXPECT_EQ(readings[6].channel + " " + readings[6].unit, "estop 0/1");
}

TEST(SiteReadings, KnowTheContactsThatStopTheRigWhenTheyAreClosed) {
  SiteAgreement agreement = agreement_of_a_site();
  const auto stops_closed = [&](const std::string& interlocks) {
    agreement.contract =
        "contract: trestle 1\nsite_states.interlocks: " + interlocks + "\n";
    const bool told = site_readings(agreement, health_of_a_site())[6].stops_closed;
    EXPECT_EQ(bounded_readings(agreement, health_of_a_site())[6].stops_closed, told);
    return told;
  };
  EXPECT_TRUE(stops_closed("estop closed hold"));
  EXPECT_TRUE(stops_closed("cage door open ramp, estop closed release"));
  EXPECT_FALSE(stops_closed("estop open hold, cage door closed ramp"));
  EXPECT_FALSE(stops_closed("cage closed hold"));
}

TEST(SiteReadings, AreComparedWithTheBoundsOfTheStartChecks) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  SiteAgreement agreement = agreement_of_a_site();
  agreement.rest_bound = {1e-3, kNone, 12.5, kNone};
  std::vector<ArmingReading> readings = bounded_readings(agreement, health_of_a_site());
  ASSERT_EQ(readings.size(), 7U);
  EXPECT_EQ(readings[0].bound, 1e-3);
  EXPECT_EQ(readings[4].bound, kNone) << "of a load cell there is none";
  EXPECT_EQ(outside_at_rest(readings), "");
  readings[2].mean = -12.6;
  EXPECT_EQ(outside_at_rest(readings),
            "1.force reads -12.6 N, its start-up check takes at most 12.5 N");
}

TEST(SiteReadings, AreNoneBeforeASecondIsOver) {
  // The channels besides have no value of a transducer yet: a contact would look open.
  Health health = health_of_a_site();
  health.mean.clear();
  health.deviation.clear();
  health.auxiliary = {0.0, 0.0};
  EXPECT_TRUE(site_readings(agreement_of_a_site(), health).empty());
}

TEST(SiteReadings, AreNotThoseOfAnotherRig) {
  Health fewer = health_of_a_site();
  fewer.mean.resize(3);
  fewer.deviation.resize(3);
  EXPECT_TRUE(site_readings(agreement_of_a_site(), fewer).empty());
  Health other = health_of_a_site();
  other.auxiliary.push_back(7.0);  // nobody named it
  EXPECT_EQ(site_readings(agreement_of_a_site(), other).size(), 5U);
}

/// The answer to `status` has a megabyte at most: a site must not make it unreadable.
TEST(SiteReadings, HaveNamesOfBoundedLength) {
  SiteAgreement agreement = agreement_of_a_site();
  std::string name = "x";
  for (int i = 0; i < 5000; ++i) name += "\u00e9";  // two bytes
  agreement.actuators[0].name = name;
  agreement.auxiliary[0] = {name, name};
  const std::vector<RigReading> readings = site_readings(agreement, health_of_a_site());
  ASSERT_EQ(readings.size(), 7U);
  EXPECT_EQ(readings[0].channel, name.substr(0, 63) + ".displacement");
  EXPECT_EQ(readings[5].channel, name.substr(0, 63)) << "no half of a letter";
  EXPECT_EQ(readings[5].unit, name.substr(0, 31));
}

TEST(SiteReadings, OfAnotherProcessAreForgotten) {
  Bench bench;
  bench.peer.words.hear(health_of_a_site(), at(10));
  bench.peer.words.restart(at(20));
  EXPECT_TRUE(site_readings(agreement_of_a_site(), bench.peer.words.health()).empty());
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
