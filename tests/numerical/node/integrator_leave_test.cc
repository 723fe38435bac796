// A test whose process ends, or that breaks, stays held and can be resumed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "core/base/process_to_end.h"
#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::integrator_leave_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::IntegratorBench;
using testing::kSession;

IntegratorSettings resumable() {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  return settings;
}

Halt fault_of_west(FaultKind kind, const std::string& by = {}) {
  return {kSession, "west", {kind, 0, 2.0, 1.0}, 0, "the force is too large", by};
}

/// @param real  west is equipment that could break
void run(IntegratorBench& bench, bool real = false) {
  for (const int site : {0, 1}) bench.hello(site);
  auto& hello = std::get<Hello>(bench.transport.waiting.front().session);
  hello.site.real_equipment = hello.site.hardware_watchdog = real;
  bench.tick();
  for (const int site : {0, 1}) bench.configured(site);
  bench.tick();
  if (real) {
    EXPECT_EQ(bench.node.arm("ada@lab"), "");
    bench.tick();
  }
  for (const int site : {0, 1}) bench.transport.arrives(site, Armed{kSession});
  bench.tick();
  for (const int site : {0, 1}) bench.answer(site, kInitialStep);
  bench.tick();
}

void all_hold(IntegratorBench& bench) {
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
  bench.tick();
  bench.tick();
}

void expect_left(const IntegratorBench& bench, evaluation::RunResult result,
                 const std::string& why) {
  EXPECT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.node.report().result, result);
  EXPECT_EQ(bench.node.report().reason, why);
  EXPECT_TRUE(bench.node.report().resumable);
  EXPECT_EQ(bench.transport.sent<Stop>(0), 0) << "the test goes on some day";
  EXPECT_EQ(bench.recorder.closed, 0) << "the record stays unfinished";
}

TEST(IntegratorLeave, HoldsTheSitesAndLeavesTheRecordUnfinished) {
  IntegratorBench bench(resumable());
  run(bench);
  EXPECT_EQ(bench.node.leave("ada@lab", "terminal", "Ctrl-C by ada@lab"), "");
  EXPECT_EQ(bench.transport.last<Halt>().by, "ada@lab");
  EXPECT_FALSE(bench.node.finished()) << "until the sites say that they hold";
  EXPECT_NE(bench.node.resume("bob@lab"), "");
  all_hold(bench);
  expect_left(bench, evaluation::RunResult::kHeld, "Ctrl-C by ada@lab");
}

TEST(IntegratorLeave, WaitsASecondForASiteThatSaysNothing) {
  IntegratorSettings settings = resumable();
  settings.heartbeat = settings.answer = seconds(30);
  settings.watchdog = seconds(100);
  IntegratorBench bench(settings);
  run(bench);
  bench.node.leave("ada@lab", "terminal", "Ctrl-C");
  bench.tick(milliseconds(500));
  EXPECT_FALSE(bench.node.finished());
  bench.tick(milliseconds(600));
  expect_left(bench, evaluation::RunResult::kHeld, "Ctrl-C");
}

TEST(IntegratorLeave, FreesTheSitesWhereNothingHasMoved) {
  IntegratorBench bench(resumable());
  bench.arm();
  bench.node.leave("ada@lab", "terminal", "Ctrl-C");
  EXPECT_EQ(bench.transport.last<Stop>().by, "ada@lab");
  for (const int site : {0, 1}) bench.transport.arrives(site, Stopped{kSession, 0, 0});
  bench.tick();
  EXPECT_TRUE(bench.node.finished());
  EXPECT_TRUE(bench.node.report().resumable) << "it begins anew in the same folder";
  EXPECT_EQ(bench.recorder.closed, 0);
}

TEST(IntegratorLeave, KnowsWhetherARigMayHaveMoved) {
  for (const bool armed : {false, true}) {
    IntegratorBench bench(resumable());
    if (armed)
      bench.arm();
    else
      bench.tick();
    bench.node.leave("ada@lab", "terminal", "Ctrl-C");
    for (const int site : {0, 1}) bench.transport.arrives(site, Stopped{kSession, 0, 0});
    bench.tick();
    ASSERT_TRUE(bench.node.finished());
    EXPECT_TRUE(bench.node.report().resumable);
    EXPECT_EQ(bench.node.report().moved, armed) << "by its start checks";
  }
}

// Rigs may move by their start checks. At the run or at a site, the word is one.
TEST(IntegratorLeave, TakesAHoldBeforeTheFirstStepForALeave) {
  for (const bool at_site : {false, true})
    for (const bool server_ends : {false, true}) {
      if (server_ends && !at_site) continue;
      IntegratorBench bench(resumable());
      bench.arm();
      if (at_site)
        bench.transport.arrives(
            0, Halt{kSession,
                    "west",
                    {server_ends ? FaultKind::kPeerSilent : FaultKind::kNone, -1, 0.0, 0.0},
                    0,
                    "held by bob@lab: a leak",
                    "bob@lab"});
      else
        EXPECT_EQ(bench.node.hold("bob@lab", "a leak"), "");
      bench.tick();
      ASSERT_GT(bench.transport.sent<Stop>(1), 0) << at_site;
      EXPECT_EQ(bench.transport.last<Stop>().by, "bob@lab");
      for (const int site : {0, 1}) bench.transport.arrives(site, Stopped{kSession, 0, 0});
      bench.tick();
      EXPECT_TRUE(bench.node.finished());
      EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kHeld);
      EXPECT_NE(bench.node.report().reason.find("bob@lab"), std::string::npos)
          << bench.node.report().reason;
      EXPECT_TRUE(bench.node.report().resumable);
      EXPECT_EQ(bench.recorder.closed, 0);
    }
}

TEST(IntegratorLeave, KeepsATestHeldInWhichASimulatedRigMetALimit) {
  IntegratorBench bench(resumable());
  run(bench);
  bench.transport.arrives(0, fault_of_west(FaultKind::kForceLimit));
  bench.tick();
  all_hold(bench);
  expect_left(bench, evaluation::RunResult::kStopped, "west: the force is too large");
}

// A limit may be too tight; of a loop that is computed to be unstable it is no wonder.
TEST(IntegratorLeave, JudgesSuchATestByItsLoop) {
  for (const bool unstable : {false, true}) {
    IntegratorSettings settings = resumable();
    if (unstable) settings.unstable = "the closed loop is computed to be unstable";
    IntegratorBench bench(settings);
    run(bench);
    bench.transport.arrives(0, fault_of_west(FaultKind::kForceLimit));
    bench.tick();
    all_hold(bench);
    EXPECT_TRUE(bench.node.report().limit_met);
    EXPECT_EQ(bench.node.report().criteria.stable, !unstable);
  }
}

TEST(IntegratorLeave, EndsSuchATestInAStudy) {
  IntegratorBench bench;
  run(bench);
  bench.transport.arrives(0, fault_of_west(FaultKind::kForceLimit));
  bench.tick();
  bench.finish();
  EXPECT_EQ(bench.recorder.closed, 1);
  EXPECT_FALSE(bench.node.report().resumable);
}

TEST(IntegratorLeave, EndsATestForGoodWhereAPersonStopsIt) {
  for (const bool at_site : {false, true}) {
    IntegratorBench bench(resumable());
    run(bench);
    if (at_site)
      bench.transport.arrives(0, fault_of_west(FaultKind::kStopped, "ada@lab"));
    else
      EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
    bench.tick();
    bench.finish();
    EXPECT_TRUE(bench.node.finished());
    EXPECT_EQ(bench.transport.last<Stop>().by, "ada@lab");
    EXPECT_EQ(bench.recorder.closed, 1);
    EXPECT_FALSE(bench.node.report().resumable);
  }
}

TEST(IntegratorLeave, HoldsForALongerTimeThanTheDeadlineAndThenLeaves) {
  IntegratorSettings settings = resumable();
  settings.hold = seconds(30);
  IntegratorBench bench(settings);
  run(bench);
  bench.wait();
  EXPECT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kSiteLost);
  EXPECT_TRUE(bench.node.report().resumable);
  EXPECT_EQ(bench.recorder.closed, 0);
  EXPECT_EQ(bench.transport.sent<Stop>(0), 0);
}

TEST(IntegratorLeave, SaysTheTimeToGoThatTheSettingSays) {
  IntegratorSettings settings = resumable();
  settings.hold = seconds(30);
  IntegratorBench bench(settings);
  run(bench);
  for (int n = 0; n < 600 && bench.node.status().state != "HOLDING"; ++n)
    bench.tick(std::chrono::milliseconds(100));
  const TimePoint begun = bench.now;
  while (!bench.node.finished() && bench.now - begun < minutes(5)) {
    for (const PendingWait& wait : bench.node.status().waits)
      if (std::isfinite(wait.until)) {
        EXPECT_LE(wait.since + wait.until, 30.2);
      }
    bench.tick(std::chrono::milliseconds(100));
  }
  EXPECT_NE(bench.node.report().reason.find("the test held for 30 s"), std::string::npos)
      << bench.node.report().reason;
}

TEST(IntegratorLeave, HoldsRealEquipmentUntilAPersonDecides) {
  for (const Duration hold : {Duration::zero(), Duration(seconds(30))}) {
    IntegratorSettings settings = resumable();
    settings.hold = hold;
    IntegratorBench bench(settings);
    run(bench, true);
    for (int n = 0; n < 40; ++n) bench.tick(minutes(1));  // both sites are silent
    EXPECT_FALSE(bench.node.finished());
    EXPECT_TRUE(bench.node.holds());
    EXPECT_EQ(bench.transport.sent<Stop>(0), 0);
    EXPECT_LT(bench.transport.sent<Halt>(0), 10) << "held once, not every second";
    EXPECT_EQ(bench.node.resume("ada@lab"), "");
    for (int n = 0; n < 40; ++n) bench.tick(minutes(1));
    EXPECT_TRUE(bench.node.holds()) << "nobody came back";
    EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
    bench.wait();
    EXPECT_EQ(bench.recorder.closed, 1);
  }
}

/// In real time steps continue by the clock, even if a site is silent.
TEST(IntegratorLeave, DoesNotEndATestByItselfWhoseRigIsHeld) {
  for (const bool goes_on : {false, true}) {
    IntegratorSettings settings = resumable();
    settings.mode = ExecutionMode::kRealTime;
    settings.pace.latency_steps = 1;
    settings.steps = 20;
    settings.answer = minutes(10);
    settings.watchdog = milliseconds(150);
    settings.misses.max_consecutive = settings.misses.max_in_window = 100000;
    for (SiteSpecification& site : settings.sites) site.shares_clock = true;
    IntegratorBench bench(settings);
    run(bench, true);
    for (int n = 0; n < 500; ++n) bench.tick();  // the network is cut
    EXPECT_EQ(bench.node.steps_done(), 20) << "missed, and made up for";
    EXPECT_EQ(bench.transport.sent<Stop>(0), 0) << "a held rig would go home";
    EXPECT_TRUE(bench.node.holds());
    bench.tick(seconds(10));
    ASSERT_TRUE(bench.node.waits_for_operator());
    EXPECT_NE(bench.node.status().reason.find("the rig of site west"), std::string::npos)
        << bench.node.status().reason;
    if (!goes_on) {
      EXPECT_EQ(bench.node.stop("ada@lab", ""), "");
      bench.tick();
      EXPECT_EQ(bench.transport.last<Stop>().by, "ada@lab");
      continue;
    }
    EXPECT_EQ(bench.node.resume("ada@lab"), "");
    for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
    bench.tick();
    for (const int site : {0, 1}) bench.configured(site);
    bench.tick();
    bench.tick();
    EXPECT_EQ(bench.transport.last<Resume>().by, "ada@lab");
    for (const int site : {0, 1})
      bench.transport.arrives(site, Resumed{kSession, settings.steps - 1});
    bench.tick();
    bench.tick();
    EXPECT_EQ(bench.transport.sent<Stop>(0), 1) << "its rig runs: the normal end";
    EXPECT_EQ(bench.node.steps_done(), 20);
  }
}

/// The word of a hold may cross the end of the test.
TEST(IntegratorLeave, SaysWhoseRigStaysHeldAtTheEnd) {
  IntegratorBench bench(resumable());
  run(bench, true);
  for (std::int64_t step = 0; step < 5; ++step) {
    for (const int site : {0, 1}) bench.answer(site, step);
    bench.tick();
  }
  ASSERT_EQ(bench.transport.sent<Stop>(0), 1);
  bench.transport.arrives(1, Stopped{kSession, 4, 0});
  Heartbeat beat{kSession};
  beat.health.state = "HOLDING";
  beat.health.rig = "holds";
  bench.transport.arrives(0, beat);
  bench.tick();
  EXPECT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kStopped);
  EXPECT_NE(bench.node.report().reason.find("trestle stop west"), std::string::npos)
      << bench.node.report().reason;
  EXPECT_TRUE(bench.node.report().resumable) << "a person ends it";
  EXPECT_EQ(bench.recorder.closed, 0) << "the record stays unfinished";
}

/// It may write its record to a slow disk, or its rig may be on its way home.
TEST(IntegratorLeave, CanBeResumedToBeEndedWhereASiteDoesNotSayThatItHasStopped) {
  for (const bool real : {false, true}) {
    IntegratorBench bench(resumable());
    run(bench, real);
    for (std::int64_t step = 0; step < 5; ++step) {
      for (const int site : {0, 1}) bench.answer(site, step);
      bench.tick();
    }
    ASSERT_EQ(bench.transport.sent<Stop>(0), 1);
    bench.transport.arrives(1, Stopped{kSession, 4, 0});
    bench.wait();
    EXPECT_TRUE(bench.node.finished());
    const evaluation::RunReport report = bench.node.report();
    EXPECT_EQ(report.result, evaluation::RunResult::kSiteLost);
    EXPECT_EQ(report.reason, "no word that it has stopped of site west (tcp://west)");
    EXPECT_EQ(report.steps_done, 5);
    EXPECT_TRUE(report.resumable);
    EXPECT_EQ(bench.recorder.closed, 0) << "the record stays unfinished";
  }
}

/// Nobody would confirm the end, and the record of the test is not open to be given one.
TEST(IntegratorLeave, EndsNoHeldTestWhoseSitesAreNotThere) {
  IntegratorSettings settings = resumable();
  settings.resume = true;
  IntegratorBench bench(settings);
  bench.tick();
  const std::string refusal = bench.node.stop("ada@lab", "enough");
  EXPECT_NE(refusal.find("can be ended, when its sites are there"), std::string::npos)
      << refusal;
  bench.tick();
  EXPECT_FALSE(bench.node.finished());
  EXPECT_EQ(bench.transport.sent<Stop>(0), 0);
  EXPECT_EQ(bench.node.leave("ada@lab", "terminal", "for today"), "");
  bench.wait();
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kHeld);
}

TEST(IntegratorLeave, HoldsRealEquipmentWhereItsOwnNumbersBreak) {
  IntegratorBench bench(resumable());
  run(bench, true);
  bench.recorder.broken = true;
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  all_hold(bench);
  EXPECT_FALSE(bench.node.finished());
  EXPECT_TRUE(bench.node.waits_for_operator());
  const std::string why = bench.node.resume("ada@lab");
  EXPECT_NE(why.find("the disk is full"), std::string::npos) << why;
  const std::string end = "kill -TERM " + std::to_string(getpid());
  EXPECT_NE(why.find("(" + end + ", which leaves the rigs held)"), std::string::npos)
      << why;
  EXPECT_EQ(command_to_end(bench.node.status().waits.back().what), end);
  EXPECT_EQ(bench.node.leave("ada@lab", "signal", "SIGTERM"), "");
  all_hold(bench);
  EXPECT_TRUE(bench.node.finished());
  EXPECT_TRUE(bench.node.report().resumable);
}

TEST(IntegratorLeave, AsksARigForNothingMoreWhereTheComputedResponseHasDiverged) {
  IntegratorBench bench(resumable());
  run(bench, true);
  bench.substructure.diverges_at = 0;
  const std::size_t sent = bench.transport.commands.size();
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Halt>(0), 1);
  EXPECT_EQ(bench.transport.commands.size(), sent);
  all_hold(bench);
  EXPECT_TRUE(bench.node.waits_for_operator());
}

TEST(IntegratorLeave, WaitsForASiteWhoseServerAPersonEnded) {
  for (const bool real : {false, true}) {
    IntegratorSettings settings = resumable();
    settings.hold = seconds(30);
    IntegratorBench bench(settings);
    run(bench, real);
    Heartbeat beat{kSession};
    beat.health.state = "RUNNING";
    beat.health.mean.assign(8, 1.0);
    beat.health.deviation.assign(8, 0.1);
    bench.transport.arrives(0, beat);
    bench.tick();
    EXPECT_FALSE(bench.node.status().peers.at(0).readings.empty());
    bench.transport.arrives(0, fault_of_west(FaultKind::kPeerSilent, "ada@lab"));
    bench.tick();
    bench.transport.arrives(1, Heartbeat{kSession});
    bench.tick();
    EXPECT_TRUE(bench.node.holds());
    EXPECT_EQ(bench.node.status().peers.at(0).state, "AWAY");
    EXPECT_TRUE(bench.node.status().peers.at(0).readings.empty()) << "nobody reads them";
    EXPECT_EQ(bench.node.waits_for_operator(), real);
    bench.tick(minutes(30));
    bench.tick(minutes(30));
    EXPECT_EQ(bench.node.finished(), !real);
    EXPECT_EQ(bench.transport.sent<Stop>(1), 0);
  }
}

/// Time passes, and these sites send heartbeats.
void pass(IntegratorBench& bench, Duration time, const std::vector<int>& speak,
          const char* state) {
  for (Duration done{}; done < time; done += milliseconds(500)) {
    for (const int site : speak) {
      Heartbeat beat{kSession};
      beat.health.state = state;
      beat.health.rig = "holds";
      bench.transport.arrives(site, beat);
    }
    bench.tick(milliseconds(500));
  }
}

/// West was killed, and is back; both are asked to resume, and west does.
void come_to_resuming(IntegratorBench& bench) {
  run(bench);
  bench.transport.arrives(0, fault_of_west(FaultKind::kPeerSilent, "ada@lab"));
  bench.tick();
  pass(bench, seconds(12), {1}, "HOLDING");
  Hello hello;
  hello.site.name = "west";
  hello.site.interface_dofs = 1;
  hello.site.actuators = {{"1", DofKind::kTranslation}};
  hello.site.modes = all_execution_modes();
  hello.last_session = kSession;
  hello.last_step = kInitialStep;
  hello.can_resume = true;
  bench.transport.arrives(0, hello);
  bench.tick();
  bench.configured(0);
  for (int n = 0; n < 5; ++n) bench.tick();
  ASSERT_EQ(bench.node.status().state, "RESUMING");
  bench.transport.arrives(0, Resumed{kSession, kInitialStep});
  bench.tick();
}

IntegratorSettings holding_for(Duration hold) {
  IntegratorSettings settings = resumable();
  settings.hold = hold;
  return settings;
}

/// A person has stopped the test there while the integrator did not hear of it.
TEST(IntegratorLeave, EndsATestThatASiteHasEndedWhileItWasAway) {
  IntegratorBench bench(holding_for(seconds(60)));
  run(bench);
  bench.transport.arrives(0, fault_of_west(FaultKind::kPeerSilent, "ada@lab"));
  bench.tick();
  pass(bench, seconds(12), {1}, "HOLDING");
  Hello hello;
  hello.site.name = "west";
  hello.last_session = kSession;
  hello.last_step = 4;
  bench.transport.arrives(0, hello);
  for (int n = 0; n < 5; ++n) bench.tick();
  bench.transport.arrives(1, Stopped{kSession, 4, 0});
  for (int n = 0; n < 5; ++n) bench.tick();
  ASSERT_TRUE(bench.node.finished()) << bench.node.status().state;
  const evaluation::RunReport report = bench.node.report();
  EXPECT_EQ(report.result, evaluation::RunResult::kStopped);
  EXPECT_FALSE(report.resumable);
  EXPECT_NE(report.reason.find("the test was stopped at site west, at step 4"),
            std::string::npos)
      << report.reason;
}

TEST(IntegratorLeave, HoldsForASiteThatIsAwayWhileTheTestResumes) {
  IntegratorBench bench(holding_for(seconds(60)));
  come_to_resuming(bench);
  pass(bench, seconds(3), {0}, "RUNNING");  // east is silent for longer than `answer`
  EXPECT_EQ(bench.transport.sent<Halt>(0), 1) << "the site that runs already holds again";
  pass(bench, seconds(10), {0}, "HOLDING");
  ASSERT_FALSE(bench.node.finished()) << bench.node.report().reason;
  EXPECT_EQ(bench.node.status().state, "HOLDING");
  EXPECT_EQ(bench.node.status().peers.at(1).state, "AWAY");
  // East is back; it agrees again, and both resume.
  pass(bench, seconds(1), {0, 1}, "HOLDING");
  bench.configured(1);
  for (int n = 0; n < 5; ++n) bench.tick();
  ASSERT_EQ(bench.node.status().state, "RESUMING");
  for (const int site : {0, 1})
    bench.transport.arrives(site, Resumed{kSession, kInitialStep});
  bench.tick();
  bench.tick();
  EXPECT_EQ(bench.node.status().state, "RUNNING");
}

TEST(IntegratorLeave, HoldsNoLongerForSuchASiteThanFromTheBeginningOfTheHold) {
  IntegratorBench bench(holding_for(seconds(60)));
  come_to_resuming(bench);
  pass(bench, seconds(47), {0}, "HOLDING");
  ASSERT_FALSE(bench.node.finished()) << bench.node.report().reason;
  pass(bench, seconds(3), {0}, "HOLDING");
  ASSERT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kSiteLost);
  EXPECT_NE(bench.node.report().reason.find("the test held for 60 s"), std::string::npos)
      << bench.node.report().reason;
}

// It speaks, agrees, and says never that it continues: that is no endless loop.
TEST(IntegratorLeave, GivesASiteUpThatAgreesAgainAndAgainAndDoesNotResume) {
  IntegratorBench bench(holding_for(seconds(60)));
  come_to_resuming(bench);
  for (int n = 0; n < 120 && !bench.node.finished(); ++n) {
    pass(bench, seconds(1), {0, 1}, "HOLDING");
    bench.configured(1);
    bench.transport.arrives(0, Resumed{kSession, kInitialStep});
  }
  EXPECT_TRUE(bench.node.finished());
}

TEST(IntegratorLeave, HoldsForASiteThatIsAwayAfterALongHoldByAPerson) {
  IntegratorBench bench(holding_for(seconds(60)));
  run(bench);
  EXPECT_EQ(bench.node.hold("ada@lab", "lunch"), "");
  bench.tick();
  all_hold(bench);
  pass(bench, minutes(30), {0, 1}, "HOLDING");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  for (int n = 0; n < 5; ++n) bench.tick();
  ASSERT_EQ(bench.node.status().state, "RESUMING");
  bench.transport.arrives(0, Resumed{kSession, kInitialStep});
  pass(bench, seconds(50), {0}, "HOLDING");
  EXPECT_FALSE(bench.node.finished()) << bench.node.report().reason;
  pass(bench, seconds(20), {0}, "HOLDING");
  EXPECT_TRUE(bench.node.finished());
}

}  // namespace
}  // namespace trestle::integrator_node::integrator_leave_test
