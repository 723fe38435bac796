// What an integrator says of its sites at the end of a test: who confirmed the stop, who
// did not, and whose test was over already.
#include <gtest/gtest.h>

#include <string>

#include "observe/report/run_summary.h"
#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::integrator_end_test {
namespace {

using testing::IntegratorBench;
using testing::kSession;

IntegratorSettings resumable() {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  return settings;
}

Halt fault_of_west(FaultKind kind) {
  return {kSession, "west", {kind, 0, 2.0, 1.0}, 0, "the force is too large", {}};
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// The last screen of the run.
std::string screen_of(const IntegratorBench& bench) {
  report::RunMetadata facts;
  facts.folder = "runs/one";
  return report::format_summary(bench.node.report(), facts);
}

void do_steps(IntegratorBench& bench, std::int64_t steps, bool real = false) {
  real ? bench.run_real_equipment() : bench.run();
  for (std::int64_t step = 0; step < steps; ++step) {
    for (const int site : {0, 1}) bench.answer(site, step);
    bench.tick();
  }
}

/// A person ends the test after two steps; the sites hold, and are told to stop.
void stop_after_two_steps(IntegratorBench& bench, bool real = false) {
  do_steps(bench, 2, real);
  EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
  bench.tick();
  ASSERT_EQ(bench.transport.sent<Stop>(0), 1);
}

TEST(IntegratorEnd, SaysThatAllSitesRestIfEachConfirmedIt) {
  IntegratorBench bench(resumable());
  stop_after_two_steps(bench);
  for (const int site : {0, 1}) bench.transport.arrives(site, Stopped{kSession, 1, 0});
  bench.wait();
  EXPECT_TRUE(says(screen_of(bench), "all sites hold or are at their safe position"))
      << screen_of(bench);
  EXPECT_EQ(bench.node.report().reason, "stopped by ada@lab: enough");
}

/// It was killed on its way home and has not taken the session up: its rig stands where the
/// watchdog stopped it.
TEST(IntegratorEnd, TakesNoSiteThatWasStartedAgainForOneThatCameHome) {
  IntegratorBench bench(resumable());
  stop_after_two_steps(bench, /*real=*/true);
  bench.transport.arrives(0, Stopped{kSession, kInitialStep, 0});
  bench.transport.arrives(1, Stopped{kSession, 1, 0});
  bench.wait();
  const evaluation::RunReport report = bench.node.report();
  EXPECT_EQ(report.result, evaluation::RunResult::kStopped);
  EXPECT_TRUE(says(report.reason,
                   "site west was started again before it said that its rig is at its safe "
                   "position; see to its rig (trestle status west)"))
      << report.reason;
  EXPECT_FALSE(says(report.reason, "site east")) << report.reason;
  const std::string screen = screen_of(bench);
  EXPECT_FALSE(says(screen, "all sites hold")) << screen;
  EXPECT_TRUE(says(screen, "next       see to site west, which was started again"))
      << screen;
}

/// There is no rig that would have to come home.
TEST(IntegratorEnd, TakesASimulatedSiteThatWasStartedAgainForStopped) {
  IntegratorBench bench(resumable());
  do_steps(bench, 5);
  bench.transport.arrives(0, Stopped{kSession, kInitialStep, 0});
  bench.transport.arrives(1, Stopped{kSession, 4, 0});
  bench.wait();
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kComplete);
}

/// A resume ends such a test properly: the site has the session on record.
TEST(IntegratorEnd, LeavesACompleteTestToBeEndedWhereASiteWasStartedAgain) {
  IntegratorBench bench(resumable());
  do_steps(bench, 5, /*real=*/true);
  bench.transport.arrives(0, Stopped{kSession, kInitialStep, 0});
  bench.transport.arrives(1, Stopped{kSession, 4, 0});
  bench.wait();
  const evaluation::RunReport report = bench.node.report();
  EXPECT_EQ(report.result, evaluation::RunResult::kStopped);
  EXPECT_TRUE(report.resumable);
  EXPECT_TRUE(says(report.reason, "site west was started again before it said"))
      << report.reason;
  EXPECT_EQ(bench.recorder.closed, 0) << "the record stays unfinished";
}

TEST(IntegratorEnd, TakesTheStopOfASiteThatDidNoStep) {
  IntegratorBench bench(resumable());
  do_steps(bench, 0);
  EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
  bench.tick();
  for (const int site : {0, 1})
    bench.transport.arrives(site, Stopped{kSession, kInitialStep, 0});
  bench.wait();
  EXPECT_EQ(bench.node.report().reason, "stopped by ada@lab: enough");
}

TEST(IntegratorEnd, NamesTheSiteThatDidNotSayThatItStopped) {
  IntegratorBench bench(resumable());
  stop_after_two_steps(bench);
  bench.transport.arrives(1, Stopped{kSession, 1, 0});
  bench.wait();
  const std::string screen = screen_of(bench);
  EXPECT_TRUE(says(screen, "no word that it has stopped of site west")) << screen;
  EXPECT_FALSE(says(screen, "all sites hold")) << screen;
  EXPECT_TRUE(
      says(screen, "next       see to site west, which has not said that it stopped"))
      << screen;
}

TEST(IntegratorEnd, NamesTheSiteThatIsInFaultAtTheEnd) {
  IntegratorBench bench(resumable());
  stop_after_two_steps(bench);
  bench.transport.arrives(
      0, Halt{kSession, "west", {FaultKind::kForceLimit, 0, 2.0, 1.0}, 1, "too large", {}});
  for (const int site : {0, 1}) bench.transport.arrives(site, Stopped{kSession, 1, 0});
  bench.wait();
  const std::string screen = screen_of(bench);
  EXPECT_FALSE(says(screen, "all sites hold")) << screen;
  EXPECT_TRUE(says(screen, "see to site west, which is in FAULT (trestle clear west)"))
      << screen;
}

/// The end of a resume whose session a site has brought to its end.
evaluation::RunReport ended_at_west(IntegratorBench& bench) {
  Hello hello;
  hello.site.name = "west";
  hello.site.interface_dofs = 1;
  hello.site.actuators = {{"1", DofKind::kTranslation}};
  hello.site.modes = all_execution_modes();
  hello.last_session = kSession;
  hello.last_step = 15;
  bench.transport.arrives(0, hello);
  bench.tick();
  bench.wait();
  return bench.node.report();
}

/// The integrator died while it stopped the test; a site went home and ended its session.
TEST(IntegratorEnd, SaysOfATestThatASiteHasEndedThatItIsOver) {
  IntegratorSettings settings = resumable();
  settings.resume = true;
  IntegratorBench bench(settings);
  const evaluation::RunReport report = ended_at_west(bench);
  EXPECT_TRUE(says(report.reason, "trestle stop SITE")) << report.reason;
  EXPECT_TRUE(
      says(report.reason, "the test was stopped at site west, at step 15, and is over"))
      << report.reason;
  const std::string screen = screen_of(bench);
  EXPECT_FALSE(says(screen, "trestle resume")) << screen;
  EXPECT_TRUE(says(screen, "next       the test is over")) << screen;
}

/// A site in the integrator's process cannot be told to stop.
TEST(IntegratorEnd, SendsNobodyToASiteThatHasNoServer) {
  IntegratorSettings settings = resumable();
  settings.resume = true;
  settings.sites[1].shares_clock = true;
  IntegratorBench bench(settings);
  const evaluation::RunReport report = ended_at_west(bench);
  EXPECT_TRUE(says(report.reason, "and is over")) << report.reason;
  EXPECT_FALSE(says(report.reason, "trestle stop")) << report.reason;
}

/// Both sites hold, and neither says how its control loop did: only the end brings that.
TEST(IntegratorEnd, ReportsNoPaceOfAControlLoopThatNoSiteReported) {
  IntegratorBench bench(resumable());
  do_steps(bench, 2);
  bench.node.leave("ada@lab", "terminal", "Ctrl-C");
  bench.wait();
  const std::string json = report::summary_json(bench.node.report(), {});
  EXPECT_TRUE(says(json, "\"overruns\": null")) << json;
  IntegratorBench ended(resumable());
  stop_after_two_steps(ended);
  for (const int site : {0, 1}) ended.transport.arrives(site, Stopped{kSession, 1, 0});
  ended.wait();
  const std::string whole = report::summary_json(ended.node.report(), {});
  EXPECT_TRUE(says(whole, "\"overruns\": 0")) << whole;
}

/// All steps done, both sites at rest, and a disk that does not return.
void end_behind_a_disk(IntegratorBench& bench) {
  bench.recorder.behind = "runs/frame/journal.db";
  do_steps(bench, 5);
  for (const int site : {0, 1}) bench.transport.arrives(site, Stopped{kSession, 4, 0});
  bench.tick();
  EXPECT_EQ(bench.recorder.closed, 1);
}

TEST(IntegratorEnd, NamesTheDiskThatItWaitsForAndAnswersMeanwhile) {
  IntegratorBench bench(resumable());
  end_behind_a_disk(bench);
  bench.tick(std::chrono::seconds(30));
  EXPECT_FALSE(bench.node.finished());
  const NodeStatus status = bench.node.status();
  EXPECT_EQ(status.state, "STOPPING");
  ASSERT_EQ(status.waits.size(), 1U);
  EXPECT_EQ(status.waits[0].whom, "the disk of runs/frame/journal.db");
  EXPECT_NEAR(status.waits[0].since, 30.0, 0.1);
  EXPECT_NEAR(status.waits[0].until, 30.0, 0.1);
  EXPECT_EQ(bench.node.waiting_for(),
            "the disk of runs/frame/journal.db, for the end of the record");
  EXPECT_NE(bench.node.stop("ada@lab", ""), "") << "answered: it is being stopped";
  EXPECT_LE(bench.node.tick(bench.now), bench.now + std::chrono::milliseconds(100))
      << "it looks again";
  bench.recorder.behind.clear();
  bench.tick();
  testing::expect_end(bench, evaluation::RunResult::kComplete, "");
}

std::optional<PendingWait> disk_of_west(const std::string& site) {
  if (site != "west") return std::nullopt;
  return PendingWait{"the disk of runs/frame/west.db", "the end of the record", 20.0, 40.0,
                     ""};
}

/// Such a site is not lost: its disk is.
TEST(IntegratorEnd, SaysThatTheDiskOfASiteInItsProcessWasTheReason) {
  IntegratorSettings settings = resumable();
  settings.disk_of_site = disk_of_west;
  IntegratorBench bench(settings);
  do_steps(bench, 5);
  bench.transport.arrives(1, Stopped{kSession, 4, 0});
  bench.wait();
  EXPECT_TRUE(bench.node.finished());
  const evaluation::RunReport report = bench.node.report();
  EXPECT_EQ(report.result, evaluation::RunResult::kStopped);
  EXPECT_EQ(report.reason,
            "the disk of runs/frame/west.db has not taken the end of the record within "
            "20 s; nothing is lost, the rest is in the ring file beside it: see to the "
            "disk, then trestle resume");
  EXPECT_TRUE(report.resumable);
}

TEST(IntegratorEnd, NamesTheDiskOfASiteInItsProcess) {
  IntegratorSettings settings = resumable();
  settings.disk_of_site = disk_of_west;
  IntegratorBench bench(settings);
  do_steps(bench, 5);
  bench.transport.arrives(1, Stopped{kSession, 4, 0});
  bench.tick();
  const std::vector<PendingWait> waits = bench.node.status().waits;
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_EQ(waits[0].whom, "the disk of runs/frame/west.db");
  EXPECT_EQ(waits[0].until, 40.0);
  EXPECT_EQ(waits[1].whom, "site west (tcp://west)");
  EXPECT_EQ(bench.node.waiting_for().find("the disk of runs/frame/west.db"), 0U)
      << bench.node.waiting_for();
}

TEST(IntegratorEnd, LeavesATestToBeResumedWhereTheDiskTakesItsRecordTooLate) {
  IntegratorBench bench(resumable());
  end_behind_a_disk(bench);
  bench.tick(std::chrono::seconds(61));
  EXPECT_TRUE(bench.node.finished());
  const evaluation::RunReport report = bench.node.report();
  EXPECT_EQ(report.result, evaluation::RunResult::kStopped);
  EXPECT_TRUE(report.resumable);
  EXPECT_EQ(report.reason.find("the disk of runs/frame/journal.db has not taken"), 0U)
      << report.reason;
}

/// The site has ended the session in FAULT; a resume must not call such a test complete.
TEST(IntegratorEnd, ResumesNoTestOfASiteThatIsStillInFault) {
  IntegratorSettings settings = resumable();
  settings.resume = true;
  IntegratorBench bench(settings);
  bench.transport.arrives(0, fault_of_west(FaultKind::kStalled));
  bench.tick();
  bench.tick();
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kRejected);
  EXPECT_NE(bench.node.report().reason.find("trestle clear west"), std::string::npos)
      << bench.node.report().reason;
}

TEST(IntegratorEnd, IsNotRefusedWhereAPersonHoldsASiteBeforeTheTestIsTakenUp) {
  IntegratorSettings settings = resumable();
  settings.resume = true;
  IntegratorBench bench(settings);
  Halt halt{kSession, "west", {}, 0, "held by ada@lab", "ada@lab"};
  halt.hold = 7;
  bench.transport.arrives(0, halt);
  bench.tick();
  bench.tick();
  EXPECT_FALSE(bench.node.finished()) << bench.node.report().reason;
  EXPECT_EQ(bench.transport.sent<Halt>(0), 0)
      << "it is not on record yet, and the site must tell another process, too";
}

/// A person has stopped it there in FAULT, while no integrator heard of it.
TEST(IntegratorEnd, SaysOfATestThatASiteHasEndedInFaultThatItIsOver) {
  IntegratorSettings settings = resumable();
  settings.resume = true;
  IntegratorBench bench(settings);
  Halt fault = fault_of_west(FaultKind::kInterlock);
  fault.over = true;
  bench.transport.arrives(0, fault);
  bench.tick();
  bench.tick();
  const evaluation::RunReport report = bench.node.report();
  EXPECT_TRUE(report.over);
  for (const char* words : {"the test was ended at site west, and is over",
                            "trestle clear west", "trestle rig home west"})
    EXPECT_NE(report.reason.find(words), std::string::npos) << report.reason;
}

TEST(IntegratorEnd, SaysThatASiteOfACompleteTestIsInFault) {
  IntegratorBench bench(resumable());
  do_steps(bench, 5);
  bench.transport.arrives(0, fault_of_west(FaultKind::kForceLimit));  // on its way home
  for (const int site : {0, 1}) bench.transport.arrives(site, Stopped{kSession, 4, 0});
  bench.tick();
  testing::expect_end(bench, evaluation::RunResult::kComplete, "");
  const std::vector<std::string> warnings = bench.node.report().warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].find("site west is in FAULT"), 0U) << warnings[0];
  EXPECT_NE(warnings[0].find("trestle clear west"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace trestle::integrator_node::integrator_end_test
