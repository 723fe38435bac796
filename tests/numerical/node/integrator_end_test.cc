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

}  // namespace
}  // namespace trestle::integrator_node::integrator_end_test
