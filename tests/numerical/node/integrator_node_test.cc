#include "numerical/node/integrator_node.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::integrator_node_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

using testing::expect_end;
using testing::integrator_settings;
using testing::kSession;
using Bench = testing::IntegratorBench;

TEST(IntegratorNode, BringsATestFromHelloToRest) {
  Bench bench;
  bench.run();
  for (int k = 0; k < 5; ++k) {
    ASSERT_EQ(bench.transport.commands.back().second.step, k);
    for (const int site : {0, 1}) bench.answer(site, k);
    bench.tick(milliseconds(k + 1));
  }
  EXPECT_EQ(bench.transport.sent<Stop>(1), 1);
  bench.finish();
  expect_end(bench, evaluation::RunResult::kComplete, "");
  const evaluation::RunReport report = bench.node.report();
  EXPECT_EQ(report.steps_done, 5);
  EXPECT_EQ(report.sites[1].steps, 5);
  EXPECT_EQ(report.sites[0].tightened_limits.size(), 1U);
  EXPECT_EQ(report.step_max_s, 0.005);
  EXPECT_NEAR(report.step_p50_s, 0.003, 0.003 / 16);
  EXPECT_EQ(bench.recorder.sinks[1].pushed, 5);
  EXPECT_EQ(bench.recorder.closed, 1);
}

TEST(IntegratorNode, NamesWhoNeverSaidHello) {
  Bench bench;
  bench.hello(0);
  bench.tick();
  EXPECT_EQ(bench.node.waiting_for(),
            "agreement to the configuration of site west (tcp://west), "
            "hello of site east (tcp://east)");
  bench.configured(0);
  bench.tick();
  EXPECT_EQ(bench.node.waiting_for(), "hello of site east (tcp://east)");
  bench.tick(seconds(8));
  bench.transport.arrives(0, Stopped{kSession, -1, 0});
  bench.wait();
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kSiteLost);
  EXPECT_EQ(bench.node.report().reason.substr(0, 45),
            "no hello of site east (tcp://east) within 8 s");
}

TEST(IntegratorNode, NamesWhoDidNotAgreeOrArmOrRead) {
  Bench agree;
  for (const int site : {0, 1}) agree.hello(site);
  agree.tick();
  agree.configured(1);
  agree.tick(seconds(9));
  EXPECT_EQ(agree.node.report().reason,
            "no agreement to the configuration of site west (tcp://west) within 8 s");
  Bench armed;
  armed.connect();
  armed.transport.arrives(0, Armed{kSession});
  armed.tick();
  armed.tick(seconds(9));
  EXPECT_EQ(armed.node.report().reason,
            "no word that it is armed of site east (tcp://east) within 8 s");
  Bench read;
  read.arm();
  read.answer(0, kInitialStep);
  read.tick();
  EXPECT_EQ(read.node.report().result, evaluation::RunResult::kNotFinished);
  read.tick(seconds(4));
  EXPECT_EQ(read.node.report().reason,
            "no opening read of site east (tcp://east) within 3 s");
}

/// A site that is in FAULT compares no clocks: the cause is told, not the wait alone.
TEST(IntegratorNode, NamesASiteInFaultWhereItsClockIsAwaited) {
  integrator_node::IntegratorSettings settings = integrator_settings();
  settings.mode = ExecutionMode::kRealTime;
  Bench bench(settings);
  bench.connect();
  bench.transport.arrives(0, Heartbeat{.session = kSession, .health = {.state = "FAULT"}});
  bench.tick();
  bench.wait();
  const std::string& reason = bench.node.report().reason;
  EXPECT_NE(
      reason.find("no comparison of clocks that is exact enough of site west (tcp://west)"),
      std::string::npos)
      << reason;
  EXPECT_NE(
      reason.find("; site west says that it is in FAULT, which a person clears there: "
                  "trestle why west"),
      std::string::npos)
      << reason;
  EXPECT_EQ(reason.find("site east says"), std::string::npos) << reason;
}

TEST(IntegratorNode, NamesWhoDidNotAnswerAStepAndStopsTheOthers) {
  Bench bench;
  bench.run();
  bench.answer(1, 0);
  bench.tick();
  bench.tick(seconds(3));
  EXPECT_EQ(bench.node.report().reason,
            "no answer of site west (tcp://west) to step 0 within 3 s");
  EXPECT_EQ(bench.transport.sent<Halt>(0), 1) << "told all the same";
  EXPECT_EQ(bench.transport.sent<Halt>(1), 1);
  EXPECT_EQ(bench.transport.sent<Stop>(1), 0) << "not before it holds";
  bench.transport.arrives(1, Heartbeat{kSession});
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Stop>(0), 1);
  EXPECT_EQ(bench.transport.sent<Stop>(1), 1);
  bench.transport.arrives(1, Stopped{kSession, 0, 1});
  bench.tick();
  expect_end(bench, evaluation::RunResult::kSiteLost,
             "no answer of site west (tcp://west) to step 0 within 3 s");
}

TEST(IntegratorNode, WaitsForALongRampAsLongAsTheSiteSpeaks) {
  Bench bench;
  bench.run();
  bench.node.stop("the operator asked for a stop");
  bench.transport.arrives(0, Stopped{kSession, -1, 0});
  for (int i = 0; i < 60; ++i) {
    bench.transport.arrives(1, Heartbeat{kSession});
    bench.tick(seconds(1));
    ASSERT_FALSE(bench.node.finished());
  }
  bench.wait();
  expect_end(bench, evaluation::RunResult::kStopped,
             "the operator asked for a stop; no word that it has stopped of site east "
             "(tcp://east)");
}

TEST(IntegratorNode, DoesNotWaitForARampForEver) {
  Bench bench;
  bench.run();
  bench.node.stop("enough");
  int waited = 0;
  for (; !bench.node.finished() && waited < 10000; ++waited) {
    bench.transport.arrives(1, Heartbeat{kSession});
    bench.tick(seconds(1));
  }
  EXPECT_NEAR(waited, 600, 2);
}

TEST(IntegratorNode, IsNotCompleteWhereARigMayStillMove) {
  IntegratorSettings none = integrator_settings();
  none.steps = 0;
  Bench bench(none);
  bench.run();
  bench.transport.arrives(0, Stopped{kSession, -1, 0});
  bench.wait();
  expect_end(bench, evaluation::RunResult::kSiteLost,
             "no word that it has stopped of site east (tcp://east)");
}

TEST(IntegratorNode, NamesBothVersionsThatDoNotTalk) {
  Bench bench;
  Hello old;
  old.protocol = {2, 1};
  old.site.name = "west";
  old.site.software = "0.9";
  bench.transport.arrives(0, old);
  bench.tick();
  expect_end(bench, evaluation::RunResult::kRejected,
             "site west speaks protocol 2.1 (trestle 0.9), the integrator 1.0 (trestle "
             "0.1); update the older one");
  EXPECT_EQ(bench.transport.last<Rejection>().reason, bench.node.report().reason);
}

TEST(IntegratorNode, RefusesASiteThatDoesNotFit) {
  const auto why = [](const auto& spoil) {
    Bench bench;
    bench.hello(0);
    spoil(std::get<Hello>(bench.transport.waiting.back().session));
    bench.tick();
    EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kRejected);
    return bench.node.report().reason;
  };
  EXPECT_EQ(why([](Hello& hello) { hello.site.modes = {"real-time"}; }),
            "site west cannot run in mode simulated");
  EXPECT_EQ(why([](Hello& hello) { hello.site.interface_dofs = 3; }),
            "site west has 3 interface DOFs, the test gives it 1");
  EXPECT_EQ(why([](Hello& hello) { hello.site.name = "north"; }),
            "the site at the place of west calls itself north");
  EXPECT_EQ(why([](Hello& hello) { hello.site.actuators.clear(); }),
            "site west has 0 actuators; must be 1 to 16");
  EXPECT_NE(why([](Hello& hello) {
              hello.site.shortest_tick = 0.02;
            }).find("cannot tick every 10"),
            std::string::npos);
}

TEST(IntegratorNode, RefusesAnAgreementThatIsNone) {
  const auto why = [](const auto& spoil) {
    Bench bench;
    for (const int site : {0, 1}) bench.hello(site);
    bench.tick();
    bench.configured(0);
    spoil(std::get<Configured>(bench.transport.waiting.back().session));
    bench.tick();
    EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kRejected);
    return bench.node.report().reason;
  };
  EXPECT_EQ(why([](Configured& agreed) { agreed.layout.clear(); }),
            "site west agreed to 0 interface DOFs, the test gives it 1");
  EXPECT_EQ(why([](Configured& agreed) { agreed.layout[0].displacement_limit = 0.07; }),
            "site west agreed to a wider limit of floor.x than the test allows");
  EXPECT_EQ(why([](Configured& agreed) { agreed.layout[0].name = "roof.x"; }),
            "site west agreed to roof.x where the test has floor.x");
  EXPECT_EQ(why([](Configured& agreed) { agreed.actuators.resize(40); }),
            "site west agreed with 40 actuators; its hello said 1");
}

TEST(IntegratorNode, StopsOnAnAnswerThatItCannotUse) {
  const auto why = [](const auto& spoil) {
    Bench bench;
    bench.run();
    StepResponse response = bench.response(0);
    spoil(response);
    bench.transport.arrives(0, response);
    bench.tick();
    EXPECT_EQ(bench.transport.sent<Halt>(1), 1);
    bench.finish();
    EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kStopped);
    return bench.node.report().reason;
  };
  EXPECT_EQ(why([](StepResponse& r) { r.measured = InterfaceVector::Ones(3); }),
            "site west answered step 0 with 3 interface DOFs, not the 1 that were agreed");
  EXPECT_EQ(
      why([](StepResponse& r) { r.force = InterfaceVector::Ones(3); }),
      "site west answered step 0 with 3 interface forces, not the 1 that were agreed");
  EXPECT_EQ(why([](StepResponse& r) { r.actuators.force.resize(0); }),
            "site west answered step 0 with values of other lengths than the 1 actuators "
            "that were agreed");
  EXPECT_EQ(
      why([](StepResponse& r) { r.force[0] = std::numeric_limits<double>::quiet_NaN(); }),
      "site west answered step 0 with a number that is not finite");
}

TEST(IntegratorNode, UsesEachAnswerOnceAndNoneOfAnotherStepOrSession) {
  Bench bench;
  bench.run();
  StepResponse foreign = bench.response(0);
  foreign.session = {9};
  bench.transport.arrives(1, foreign);
  bench.answer(1, 7);
  bench.answer(0, 0);
  bench.answer(0, 0);
  bench.tick();
  EXPECT_EQ(bench.node.waiting_for(), "answer of site east (tcp://east)");
  bench.answer(1, 0);
  bench.answer(0, 0);
  bench.tick();
  EXPECT_EQ(bench.node.steps_done(), 1);
  EXPECT_EQ(bench.node.report().sites[0].steps, 1);
}

TEST(IntegratorNode, SaysAgainWhatWasNotAnswered) {
  Bench bench;
  for (const int site : {0, 1}) bench.hello(site);
  bench.tick();
  bench.tick(milliseconds(500));
  EXPECT_EQ(bench.transport.sent<Configure>(0), 2);
  for (const int site : {0, 1}) bench.configured(site);
  bench.tick();
  bench.tick(milliseconds(500));
  EXPECT_EQ(bench.transport.sent<Arm>(0), 2);
  for (const int site : {0, 1}) bench.transport.arrives(site, Armed{kSession});
  bench.tick();
  bench.tick(milliseconds(500));
  EXPECT_EQ(bench.transport.sent<Start>(0), 2);
  for (const int site : {0, 1}) bench.answer(site, kInitialStep);
  bench.tick();
  bench.answer(1, 0);
  bench.tick(milliseconds(500));
  ASSERT_EQ(bench.transport.commands.size(), 3U);
  EXPECT_EQ(bench.transport.commands[2].first, 0) << "to the one that did not answer";
  EXPECT_EQ(bench.transport.sent<Heartbeat>(1), 1) << "the other only hears from us";
}

TEST(IntegratorNode, NoticesASiteThatWasRestarted) {
  Bench bench;
  bench.run();
  bench.hello(0, kSession);
  bench.tick();
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kNotFinished)
      << "it was not";
  bench.hello(0);
  bench.tick();
  bench.finish();
  expect_end(bench, evaluation::RunResult::kSiteLost,
             "site west (tcp://west) was restarted at step 0 and has no record of this "
             "session that could be resumed");
}

TEST(IntegratorNode, AgreesAgainWithASiteRestartedBeforeTheRun) {
  // It has the record of a test that continues, and says so.
  for (const SessionId& last : {SessionId{}, kSession}) {
    Bench bench;
    bench.hello(0);
    bench.tick();
    bench.configured(0);
    bench.tick();
    bench.hello(0, last);
    bench.tick();
    EXPECT_EQ(bench.transport.sent<Configure>(0), 2);
    bench.configured(0);
    bench.hello(1);
    bench.tick();
    bench.configured(1);
    bench.tick();
    EXPECT_EQ(bench.transport.sent<Arm>(0), 1);
  }
}

TEST(IntegratorNode, EndsOnARefusalAndSaysWhose) {
  Bench setting_up;
  setting_up.transport.arrives(0, Rejection{"a late word to somebody else"});
  setting_up.hello(0);
  setting_up.tick();
  EXPECT_FALSE(setting_up.node.finished());
  setting_up.transport.arrives(0, Rejection{"it is in FAULT (force)"});
  setting_up.tick();
  expect_end(setting_up, evaluation::RunResult::kRejected,
             "site west refuses: it is in FAULT (force)");
  Bench running;
  running.run();
  running.transport.arrives(1, Rejection{"step 0 came; the next one is 4"});
  running.tick();
  EXPECT_EQ(running.transport.sent<Halt>(0), 1);
  running.finish();
  expect_end(running, evaluation::RunResult::kStopped,
             "site east refuses: step 0 came; the next one is 4");
}

TEST(IntegratorNode, IsToldAtOnceWhoseTestASiteServes) {
  const Busy busy{.session = {7},
                  .test = "frame of ana",
                  .by = "ana@control",
                  .since = "2026-11-23 05:42:10 UTC",
                  .state = "RUNNING",
                  .step = 120};
  Bench second;
  second.hello(0);
  second.tick();
  second.transport.arrives(0, busy);  // it has agreed with west: not for this one
  second.tick();
  EXPECT_EQ(second.node.report().result, evaluation::RunResult::kNotFinished);
  second.transport.arrives(1, busy);
  second.tick();
  second.transport.arrives(0, Stopped{kSession, kInitialStep, 0});
  second.tick();
  expect_end(second, evaluation::RunResult::kSiteLost,
             "site east (tcp://east) is busy with test frame of ana of ana@control since "
             "2026-11-23 05:42:10 UTC, at step 120 (RUNNING); wait for its end, or ask for "
             "it to be stopped");
}

TEST(IntegratorNode, WaitsForASiteThatIsBusyWithItsOwnSession) {
  Bench resumed;
  resumed.transport.arrives(0, Busy{.session = kSession, .test = "frame"});
  resumed.tick();
  EXPECT_EQ(resumed.node.report().result, evaluation::RunResult::kNotFinished);
  resumed.run();
  EXPECT_EQ(resumed.transport.sent<Halt>(0), 0);
}

TEST(IntegratorNode, IsNotDisturbedInATestByWordThatASiteIsBusy) {
  const Busy busy{.session = {7}, .test = "another"};
  const auto say = [&busy](Bench& bench) {
    for (const int site : {0, 1}) bench.transport.arrives(site, busy);
    bench.tick();
  };
  Bench bench;
  bench.connect();
  say(bench);
  for (const int site : {0, 1}) bench.transport.arrives(site, Armed{kSession});
  bench.tick();
  say(bench);
  for (const int site : {0, 1}) bench.answer(site, kInitialStep);
  bench.tick();
  say(bench);
  for (int k = 0; k < 5; ++k) {
    for (const int site : {0, 1}) bench.answer(site, k);
    say(bench);
  }
  EXPECT_EQ(bench.transport.sent<Halt>(0), 0);
  bench.finish();
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kComplete)
      << bench.node.report().reason;
}

TEST(IntegratorNode, PassesAFaultOnAtOnce) {
  Bench bench;
  bench.run();
  const Fault fault{FaultKind::kForceLimit, 0, 2.0, 1.0};
  bench.transport.arrives(0, Halt{{7}, "west", fault, 0, "of another session"});
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Halt>(1), 0);
  bench.transport.arrives(0, Halt{kSession, "west", fault, 0, "force 2 kN"});
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Halt>(1), 1);
  EXPECT_EQ(bench.transport.last<Halt>().reason, "west: force 2 kN");
  EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kForceLimit);
  bench.finish();
  expect_end(bench, evaluation::RunResult::kStopped, "west: force 2 kN");
}

TEST(IntegratorNode, CallsARunUnstableForInstabilityAlone) {
  // It is unknown whether a limit was too tight.
  Bench limited;
  limited.run();
  limited.transport.arrives(
      0, Halt{kSession, "west", {FaultKind::kForceLimit, 0, 2.0, 1.0}, 0, "force 2 kN"});
  limited.tick();
  limited.finish();
  EXPECT_TRUE(limited.node.report().limit_met);
  EXPECT_TRUE(limited.node.report().criteria.stable);

  Bench fed;
  fed.run();
  fed.transport.arrives(
      0, Halt{kSession, "west", {FaultKind::kEnergyError, 0, 2.0, 1.0}, 0, "energy"});
  fed.tick();
  fed.finish();
  EXPECT_FALSE(fed.node.report().criteria.stable);

  Bench operated;
  operated.run();
  operated.node.stop("enough");
  operated.finish();
  EXPECT_TRUE(operated.node.report().criteria.stable);

  Bench silent;
  silent.run();
  silent.wait();
  EXPECT_EQ(silent.node.report().result, evaluation::RunResult::kSiteLost);
  EXPECT_TRUE(silent.node.report().criteria.stable);

  Bench diverged;
  diverged.substructure.diverges_at = 0;
  diverged.run();
  for (const int site : {0, 1}) diverged.answer(site, 0);
  diverged.tick();
  diverged.finish();
  EXPECT_FALSE(diverged.node.report().criteria.stable);
}

TEST(IntegratorNode, EvaluatesAtTheEndWhatTheSitesAnswered) {
  Bench bench;
  bench.run();
  for (std::int64_t step = 0; step < 5; ++step) {
    for (const int site : {0, 1}) bench.answer(site, step);
    bench.tick();
  }
  bench.finish();
  const evaluation::Criteria criteria = bench.node.report().criteria;
  EXPECT_TRUE(criteria.stable);
  EXPECT_EQ(criteria.actuators, (std::vector<std::string>{"west 1", "east 1"}));
  EXPECT_EQ(criteria.benchmark[0].size(), 2U);
  EXPECT_EQ(criteria.benchmark[2], (std::vector<double>{0.0, 0.0}));
  EXPECT_FALSE(criteria.until_step);
}

TEST(IntegratorNode, SaysUntilWhichStepTheCriteriaOfAnUnfinishedRunGo) {
  Bench bench;
  bench.run();
  for (std::int64_t step = 0; step < 3; ++step) {
    for (const int site : {0, 1}) bench.answer(site, step);
    bench.tick();
  }
  bench.node.stop("enough");
  bench.finish();
  EXPECT_EQ(bench.node.report().criteria.until_step, std::optional<std::int64_t>(2));
}

TEST(IntegratorNode, StopsSafelyWhenItsRecordFails) {
  for (const bool loses : {false, true}) {
    Bench bench;
    bench.run();
    (loses ? bench.recorder.loses_rows : bench.recorder.broken) = true;
    for (const int site : {0, 1}) bench.answer(site, 0);
    bench.tick();
    EXPECT_EQ(bench.transport.sent<Halt>(0), 1);
    EXPECT_EQ(bench.transport.commands.size(), 2U) << "no further step";
    bench.finish();
    expect_end(
        bench, evaluation::RunResult::kStopped,
        loses ? "the record lost a row at step 0; it came too fast" : "the disk is full");
  }
}

TEST(IntegratorNode, ArmsNobodyWhereTheRecordCannotBeOpened) {
  Bench bench;
  bench.recorder.refuses = "no such folder";
  bench.connect();
  EXPECT_EQ(bench.transport.sent<Arm>(0), 0);
  bench.finish();
  expect_end(bench, evaluation::RunResult::kStopped,
             "the record cannot be kept: no such folder");
}

TEST(IntegratorNode, NeverGoesOnWithNumbersThatAreNone) {
  for (const std::int64_t step : {kInitialStep, std::int64_t{0}}) {
    Bench bench;
    bench.substructure.diverges_at = step;
    bench.run();
    for (const int site : {0, 1}) bench.answer(site, 0);
    bench.tick();
    bench.finish();
    expect_end(bench, evaluation::RunResult::kStopped,
               step < 0 ? "the computed response is not finite before the first step"
                        : "the computed response is no longer finite at step 0; the loop "
                          "has diverged");
  }
}

// What is computed before a step: no site hears of it.
TEST(IntegratorNode, EndsBeforeATargetThatIsNone) {
  Bench bench;
  bench.substructure.spoil_at = 1;
  bench.substructure.spoilt = std::numeric_limits<double>::quiet_NaN();
  bench.run();
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  bench.finish();
  expect_end(bench, evaluation::RunResult::kStopped,
             "the computed response is no longer finite at step 1; the loop has diverged");
  for (const auto& [site, command] : bench.transport.commands)
    EXPECT_EQ(command.step, 0) << site;
}

TEST(IntegratorNode, EndsWhereMoreIsLeftUnbalancedThanIsAccepted) {
  Bench bench;
  bench.substructure.diverges_at = 0;
  bench.substructure.excess = {.residual = 1234.5, .limit = 100.0};
  bench.run();
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  bench.finish();
  expect_end(bench, evaluation::RunResult::kStopped,
             "the residual of the integrator exceeds its limit at step 0 (1234, stop_above "
             "100; N or N.m); take more iterations or a shorter time_step, or raise "
             "integrator.stop_above");
}

TEST(IntegratorNode, StopsWhatIsBeingConfigured) {
  Bench bench;
  bench.hello(0);
  bench.tick();
  bench.node.stop("enough");
  EXPECT_EQ(bench.transport.sent<Stop>(0), 1);
  bench.transport.arrives(0, Stopped{kSession, -1, 0});
  bench.tick();
  expect_end(bench, evaluation::RunResult::kStopped, "enough");
  EXPECT_EQ(bench.recorder.opened, 0);
}

TEST(IntegratorNode, BearsADeadlineBeyondTheEndOfTime) {
  IntegratorSettings patient = integrator_settings();
  patient.connect = patient.answer = Duration::max();
  Bench bench(patient);
  bench.run();
  bench.tick(seconds(1000));
  EXPECT_FALSE(bench.node.finished());
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kNotFinished);
}

}  // namespace
}  // namespace trestle::integrator_node::integrator_node_test
