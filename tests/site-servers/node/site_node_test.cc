#include "site-servers/node/site_node.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/site-servers/node/site_bench.h"

namespace trestle::site_node::site_node_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum session::SessionState;
using testing::configure_message;
using testing::kOther;
using testing::kSession;
using Bench = testing::SiteBench;

TEST(SiteNode, FollowsATestFromHelloToRest) {
  Bench bench;
  bench.tick();
  EXPECT_EQ(bench.transport.last<Hello>().site.name, "west");
  bench.run();
  ASSERT_EQ(bench.transport.responses.size(), 1U);
  EXPECT_EQ(bench.transport.responses[0].step, kInitialStep);
  EXPECT_EQ(bench.rig.motions, 0) << "the opening read comes before any motion";
  for (int k = 0; k < 3; ++k) bench.gets(bench.step(k));
  EXPECT_EQ(bench.transport.responses.back().step, 2);
  EXPECT_EQ(bench.transport.responses.back().measured[0], 0.01);
  EXPECT_EQ(bench.transport.responses.back().measured_at, TimePoint(milliseconds(30)));
  bench.gets(Stop{kSession, "complete"});
  EXPECT_EQ(bench.node.state(), kStopping);
  bench.settle();
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.position[0], 0.0);
  EXPECT_EQ(bench.transport.last<Stopped>().last_step, 2);
  EXPECT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.recorder.closed, 1);
}

TEST(SiteNode, SaysThatItHasStoppedWhenTheDiskHasTakenItsRecord) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.recorder.behind = "records/west.db";
  bench.gets(Stop{kSession, "complete"});
  bench.settle();
  ASSERT_EQ(bench.recorder.closed, 1);
  bench.gets(Stop{kSession, "complete"});
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 0) << "its record may be fetched then";
  EXPECT_FALSE(bench.node.finished());
  bench.tick(std::chrono::seconds(20));
  ASSERT_EQ(bench.node.status().waits.size(), 1U);
  EXPECT_EQ(bench.node.status().waits[0].whom, "the disk of records/west.db");
  EXPECT_NEAR(bench.node.status().waits[0].since, 20.0, 0.5);
  EXPECT_NEAR(bench.node.status().waits[0].until, 40.0, 0.5);
  EXPECT_LE(bench.node.tick(bench.now), bench.now + milliseconds(100)) << "it looks again";
  bench.recorder.behind.clear();
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 1);
  EXPECT_TRUE(bench.node.finished());
}

/// A disk that never returns ends no wait of a person: the process ends by itself.
TEST(SiteNode, EndsWithoutADiskThatTakesItsRecordTooLate) {
  Bench bench;
  bench.run();
  bench.recorder.behind = "records/west.db";
  bench.gets(Stop{kSession, "complete"});
  bench.settle();
  bench.tick(std::chrono::seconds(61));
  EXPECT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 0);
}

TEST(SiteNode, MakesNoStateForARecordThatKeepsNone) {
  for (const bool forgets : {false, true}) {
    Bench bench;
    bench.recorder.forgets_state = forgets;
    bench.run();
    for (int k = 0; k < 3; ++k) bench.gets(bench.step(k));
    EXPECT_EQ(bench.transport.responses.back().step, 2);
    EXPECT_EQ(bench.rig.saves, forgets ? 0 : 5)
        << "once to make room, the opening read, and three steps";
  }
}

TEST(SiteNode, TellsWhichLimitsItTightened) {
  Bench bench(false, {{.rate = 0.3}});
  bench.run();
  const Configured& agreed = bench.transport.last<Configured>();
  EXPECT_EQ(agreed.layout[0].displacement_limit, 0.05);
  EXPECT_EQ(agreed.limits[0].rate, 0.3);
  ASSERT_EQ(agreed.tightened_limits.size(), 2U);
  EXPECT_EQ(agreed.tightened_limits[0], "floor.x displacement 50 mm");
  EXPECT_EQ(agreed.tightened_limits[1], "actuator 1 rate 300 mm/s");
}

TEST(SiteNode, AnswersTheSameStepWithTheSameBitsAndNoSecondMotion) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  const int moved = bench.rig.motions;
  bench.rig.position[0] = 0.02;  // would be seen by a second read
  bench.gets(bench.step(0, 0.04));
  EXPECT_EQ(bench.rig.motions, moved);
  ASSERT_EQ(bench.transport.responses.size(), 3U);
  EXPECT_EQ(bench.transport.responses[2].measured, bench.transport.responses[1].measured);
  EXPECT_EQ(bench.transport.responses[2].force, bench.transport.responses[1].force);
  EXPECT_EQ(bench.recorder.sinks[0].pushed, 1) << "one intent";
  bench.gets(bench.step(1));
  bench.gets(bench.step(0));
  EXPECT_EQ(bench.refusals(), 0) << "a late twin is nothing to stop for";
  EXPECT_EQ(bench.node.last_step(), 1);
}

TEST(SiteNode, BearsEveryMessageTwice) {
  Bench bench;
  for (int i = 0; i < 2; ++i) bench.gets(Welcome{kProtocolVersion, "0.1"});
  for (int i = 0; i < 2; ++i) bench.gets(configure_message());
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 2);
  EXPECT_EQ(bench.rig.prepared, 1);
  EXPECT_EQ(bench.recorder.opened, 1);
  for (int i = 0; i < 2; ++i) bench.gets(Arm{kSession});
  EXPECT_EQ(bench.transport.sent<Armed>(0), 2);
  for (int i = 0; i < 2; ++i) bench.gets(Start{kSession});
  EXPECT_EQ(bench.transport.responses.size(), 2U);
  bench.gets(configure_message());
  EXPECT_EQ(bench.node.state(), kRunning);
  for (int i = 0; i < 2; ++i) bench.gets(Halt{kSession, "east", {}, 0, "force"});
  EXPECT_EQ(bench.node.state(), kHolding);
  EXPECT_EQ(bench.node.reason(), "east: force");
  for (int i = 0; i < 2; ++i) bench.gets(Stop{kSession, "enough"});
  bench.settle();
  bench.gets(Stop{kSession, "enough"});
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 3) << "it had moved nothing: over at once";
  bench.gets(configure_message());
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.prepared, 1) << "that test is over";
  EXPECT_EQ(bench.refusals(), 0);
}

TEST(SiteNode, HoldsByItselfWhenTheIntegratorDiesAndTakesTheNextTest) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  for (int n = 0; n < 49; ++n) bench.tick(milliseconds(102));
  EXPECT_EQ(bench.node.state(), kRunning);
  bench.gets(Heartbeat{kOther});
  EXPECT_EQ(bench.node.state(), kRunning);
  bench.tick(milliseconds(1));
  EXPECT_EQ(bench.node.state(), kHolding) << "another's heartbeat is no sign of life";
  EXPECT_EQ(bench.node.reason(),
            "the integrator is silent: no valid message for 5 s; the watchdog allows 5 s");
  EXPECT_GE(bench.rig.holds, 1);
  EXPECT_EQ(bench.rig.position[0], 0.01);
  bench.gets(bench.step(1));
  EXPECT_TRUE(bench.transport.last<Hello>().can_resume) << "it says what can be done";
  bench.tick(milliseconds(5100));
  const int hellos = bench.transport.sent<Hello>(0);
  bench.tick(milliseconds(250));
  EXPECT_EQ(bench.transport.sent<Hello>(0), hellos + 1) << "ready for another";
  bench.run(kOther);
  EXPECT_EQ(bench.node.state(), kRunning);
  EXPECT_EQ(bench.recorder.closed, 1);
  EXPECT_EQ(bench.recorder.opened, 2);
}

TEST(SiteNode, GivesUpATestThatNeverBegan) {
  for (const bool armed : {false, true})
    for (const SessionId& next : {kOther, kSession}) {
      Bench bench;
      bench.gets(configure_message());
      if (armed) bench.gets(Arm{kSession});
      bench.tick(seconds(5));
      EXPECT_EQ(bench.node.state(), kConfigured);
      EXPECT_EQ(bench.recorder.closed, 1);
      bench.tick(seconds(1));
      EXPECT_EQ(bench.transport.last<Hello>().last_session, SessionId{})
          << "an integrator that was only late takes it for one that can begin anew";
      bench.run(next);
      EXPECT_EQ(bench.node.state(), kRunning);
    }
}

TEST(SiteNode, SpeaksInTheSessionAndSaysHelloOutsideIt) {
  Bench bench;
  bench.tick();
  bench.tick(milliseconds(100));
  EXPECT_EQ(bench.transport.sent<Hello>(0), 1) << "no storm of hellos";
  bench.run();
  const int hellos = bench.transport.sent<Hello>(0);
  for (int i = 0; i < 4; ++i) {
    bench.gets(Heartbeat{kSession});
    bench.tick(milliseconds(500));
  }
  EXPECT_EQ(bench.transport.sent<Heartbeat>(0), 4);
  EXPECT_EQ(bench.transport.sent<Hello>(0), hellos);
}

TEST(SiteNode, LatchesAFaultAgainstStopAndTheNextTest) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.rig.status = AdapterStatus::kTripped;
  bench.gets(bench.step(1));
  EXPECT_EQ(bench.node.state(), kFault);
  const std::string why =
      "the rig's own protection acted, or it gave no fresh measurement at step 1, t = "
      "0.010 s";
  EXPECT_EQ(bench.transport.last<Halt>().reason, why);
  EXPECT_EQ(bench.transport.last<Halt>().node, "west");
  EXPECT_EQ(bench.transport.last<Halt>().step, 1);
  const int moved = bench.rig.motions;
  for (int i = 0; i < 2; ++i) bench.gets(Stop{kSession, "enough"});
  EXPECT_EQ(bench.node.state(), kFault);
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 2);
  EXPECT_EQ(bench.recorder.closed, 1);
  bench.gets(configure_message(kOther));
  EXPECT_EQ(bench.refusal(),
            "it is in FAULT (" + why + "); a person has to clear that at the site");
  bench.gets(bench.step(2));
  EXPECT_EQ(bench.rig.motions, moved);
}

/// Its session is over; an integrator that resumes the test to end it must not say that all
/// is well.
TEST(SiteNode, TellsAnIntegratorThatComesBackOfItsFault) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.rig.status = AdapterStatus::kTripped;
  bench.gets(bench.step(1));
  bench.gets(Stop{kSession, "enough"});
  bench.rig.status = AdapterStatus::kOk;
  const int told = bench.transport.sent<Halt>(0);
  const int hellos = bench.transport.sent<Hello>(0);
  bench.tick(milliseconds(300));
  EXPECT_EQ(bench.transport.sent<Hello>(0), hellos + 1);
  ASSERT_EQ(bench.transport.sent<Halt>(0), told + 1);
  EXPECT_EQ(bench.transport.last<Halt>().session, kSession);
  EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kAdapter);
  EXPECT_EQ(bench.transport.last<Halt>().reason, bench.node.reason());
  EXPECT_EQ(bench.node.clear("ada@lab"), "");
  bench.tick();
  bench.tick(milliseconds(300));
  EXPECT_GT(bench.transport.sent<Hello>(0), hellos + 1);
  EXPECT_EQ(bench.transport.sent<Halt>(0), told + 1);
}

TEST(SiteNode, StopsWhenItsRecordFails) {
  for (const bool loses : {false, true}) {
    Bench bench;
    bench.run();
    bench.gets(bench.step(0));
    const int moved = bench.rig.motions;
    (loses ? bench.recorder.loses_rows : bench.recorder.broken) = true;
    bench.gets(bench.step(1));
    EXPECT_EQ(bench.node.state(), kFault);
    EXPECT_EQ(bench.rig.motions, moved) << "no motion without its intent on record";
    EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kJournal);
    const std::string again =
        "; this process cannot use its record any further: see to that, then end this "
        "program (SIGTERM) and start it again, then clear the fault (trestle clear west) "
        "and resume the test";
    EXPECT_EQ(bench.transport.last<Halt>().reason,
              loses ? "the record can no longer be kept at step 1, t = 0.010 s"
                    : "the disk is full at step 1, t = 0.010 s" + again);
  }
}

// A writer that has failed writes no more: the next step was the same fault for ever.
TEST(SiteNode, IsNotClearedWhileItsRecordCannotBeWrittenAndNamesTheRestart) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.recorder.broken = true;
  bench.gets(bench.step(1));
  bench.settle();
  ASSERT_EQ(bench.node.state(), kFault);
  const std::string process = std::to_string(getpid());
  EXPECT_EQ(bench.node.clear("ada@lab"),
            "the record of this site has failed: the disk is full; this process cannot "
            "use its record any further: see to that, then end this program (kill -TERM " +
                process +
                ") and start it again, then clear the fault (trestle clear west) and "
                "resume the test");
  bench.tick();
  EXPECT_EQ(bench.node.state(), kFault);
  ASSERT_EQ(bench.node.status().waits.size(), 1U);
  EXPECT_NE(bench.node.status().waits[0].what.find("kill -TERM " + process),
            std::string::npos)
      << bench.node.status().waits[0].what;
  bench.recorder.broken = false;
  EXPECT_EQ(bench.node.clear("ada@lab"), "") << "only the record was in the way";
}

// Any fault: the record is looked at before it, too.
TEST(SiteNode, IsNotClearedOfAnotherFaultWhileItsRecordCannotBeWritten) {
  Bench bench;
  bench.run();
  bench.rig.status = AdapterStatus::kTripped;
  bench.gets(bench.step(0));
  ASSERT_EQ(bench.node.state(), kFault);
  bench.rig.status = AdapterStatus::kOk;
  bench.recorder.broken = true;
  EXPECT_NE(bench.node.clear("ada@lab").find(
                "the record of this site has failed: the disk is full"),
            std::string::npos);
  bench.recorder.broken = false;
  EXPECT_EQ(bench.node.clear("ada@lab"), "");
}

TEST(SiteNode, HoldsAndNamesThePersonWhoEndsItsServerAndHearsNobodyAfterThat) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.node.leave("ada@lab", "terminal", "the server was ended");
  EXPECT_EQ(bench.node.state(), kHolding);
  EXPECT_EQ(bench.transport.last<Halt>().reason, "the server was ended");
  EXPECT_EQ(bench.transport.last<Halt>().by, "ada@lab");
  EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kPeerSilent)
      << "not the end of the test";
  bench.gets(Stop{kSession, "west"});
  bench.settle();
  EXPECT_EQ(bench.node.state(), kHolding) << "its record stays unfinished";
}

Halt answer(std::int64_t number) {
  Halt halt{kSession, "west", {}, 1, "west: held by ada@lab: a crack", "ada@lab"};
  halt.hold = number;
  return halt;
}

// The connection was cut when ada held the rig, and neither end knows it yet.
TEST(SiteNode, DoesNotGoOnBeforeItsIntegratorHasHeardOfAPersonsHold) {
  for (const bool heard : {false, true}) {
    Bench bench;
    bench.run();
    bench.gets(bench.step(0));
    EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
    const int told = bench.transport.sent<Halt>(0);
    EXPECT_EQ(told, 1);
    const std::int64_t number = bench.transport.last<Halt>().hold;
    EXPECT_NE(number, 0);
    if (heard) bench.gets(answer(number));
    Resume resume{kSession, 1, bench.now, {}, {}};
    for (int n = 0; n < 2; ++n) {
      bench.gets(resume);
      EXPECT_EQ(bench.node.state(), heard ? kRunning : kHolding);
      EXPECT_EQ(bench.transport.sent<Halt>(0), told + (heard ? 0 : n + 1));
      EXPECT_EQ(bench.transport.last<Halt>().by, "ada@lab");
      EXPECT_EQ(bench.transport.last<Halt>().hold, number) << "the same hold";
    }
    resume.hold = number;  // its answer was lost, and the integrator knows of it
    bench.gets(resume);
    EXPECT_EQ(bench.node.state(), kRunning);
  }
}

// One of another version knows of no numbers.
TEST(SiteNode, TakesTheSameWordsForTheAnswerToAPersonsHold) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
  bench.gets(Halt{kSession, "west", {}, 1, "west: held by ada@lab: a crack", "ada@lab"});
  bench.gets(Resume{kSession, 1, bench.now, {}, {}});
  EXPECT_EQ(bench.node.state(), kRunning);
}

TEST(SiteNode, TakesTheAnswerToAnEarlierHoldForNoneOfTheLast) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
  const std::int64_t first = bench.transport.last<Halt>().hold;
  EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
  bench.gets(answer(first));
  Resume resume{kSession, 1, bench.now, {}, {}, first};
  bench.gets(resume);
  EXPECT_EQ(bench.node.state(), kHolding);
}

TEST(SiteNode, TellsAPersonsHoldAgainBeforeItAgrees) {
  for (const bool heard : {false, true}) {
    Bench bench;
    bench.run();
    bench.gets(bench.step(0));
    EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
    if (heard) bench.gets(answer(bench.transport.last<Halt>().hold));
    Configure again = configure_message();
    again.resume = true;
    bench.gets(again);
    EXPECT_EQ(bench.transport.sent<Halt>(0), heard ? 1 : 2);
    EXPECT_EQ(bench.transport.sent<Configured>(0), 2);
  }
}

TEST(SiteNode, HandsOutItsRecordsBetweenTestsOnly) {
  Bench bench;
  bench.gets(RecordRequest{kSession, 0});
  EXPECT_EQ(bench.transport.last<RecordChunk>().content, "abc");
  bench.gets(RecordRequest{kOther, 0});
  EXPECT_EQ(bench.transport.last<RecordChunk>().problem, "no such session");
  bench.run();
  bench.gets(RecordRequest{kSession, 0});
  EXPECT_EQ(bench.transport.last<RecordChunk>().content, "");
  EXPECT_EQ(bench.transport.last<RecordChunk>().problem,
            "it is RUNNING in test frame; ask again when that is over");
  EXPECT_EQ(bench.records.asked, 2) << "no file is read while a test runs";
  bench.gets(Stop{kSession, "complete"});
  bench.settle();
  bench.gets(RecordRequest{kSession, 3});
  EXPECT_EQ(bench.transport.last<RecordChunk>().problem, "");
  EXPECT_EQ(bench.transport.last<RecordChunk>().total, 3U);
}

}  // namespace
}  // namespace trestle::site_node::site_node_test
