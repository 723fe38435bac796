#include <gtest/gtest.h>

#include <cmath>

#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::integrator_pace_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::integrator_settings;
using Bench = testing::IntegratorBench;

/// Both sites on one clock with the integrator; a step takes 10 ms.
IntegratorSettings paced(ExecutionMode mode) {
  IntegratorSettings settings = integrator_settings();
  settings.mode = mode;
  settings.steps = 20;
  for (SiteSpecification& site : settings.sites) site.shares_clock = true;
  return settings;
}

/// L = 1: step k is closed at (k + 1)·10 ms by the answer to step k − 1, which must be in
/// 7.5 ms later.
IntegratorSettings real_time() {
  IntegratorSettings settings = paced(ExecutionMode::kRealTime);
  settings.pace.latency_steps = 1;
  return settings;
}

struct RealTime : Bench {
  explicit RealTime(const IntegratorSettings& with = real_time()) : Bench(with) { run(); }

  /// Until this session time, tick by tick of half a millisecond.
  void until(Duration session_time) {
    while (now < transport.last<Start>().at + session_time)
      tick(std::chrono::microseconds(500));
  }
  std::int64_t step() const { return transport.commands.back().second.step; }
  /// The answer comes when it is measured, 10 ms after its target acted first.
  void answered(std::int64_t step, const std::vector<int>& sites = {0, 1}) {
    until(milliseconds(10 * (step + 2)));
    for (const int site : sites) answer(site, step);
    tick(Duration::zero());
  }
};

TEST(APseudoDynamicStep, MayTakeAsLongAsTheSiteSpeaks) {
  Bench bench(paced(ExecutionMode::kPseudoDynamic));
  bench.run();
  bench.answer(0, 0);
  for (int i = 0; i < 60; ++i) {
    bench.transport.arrives(1, Heartbeat{testing::kSession});
    bench.tick(seconds(1));
  }
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kNotFinished);
  EXPECT_EQ(bench.node.waiting_for(), "answer of site east (tcp://east)");
}

/// Reports that it runs; its control loop has completed `cycles` cycles.
Heartbeat beat(std::int64_t cycles, Duration overdue = {}) {
  Heartbeat beat{testing::kSession};
  beat.health.state = "RUNNING";
  beat.health.rig = "moves";
  beat.health.cycles = cycles;
  beat.health.overdue = overdue;
  return beat;
}

TEST(APseudoDynamicStep, IsNotWaitedForBecauseAStalledLoopsSiteSpeaks) {
  for (const bool overdue : {false, true}) {
    Bench bench(paced(ExecutionMode::kPseudoDynamic));
    bench.run();
    bench.answer(0, 0);
    for (int i = 1; i <= 60; ++i) {
      bench.transport.arrives(1, beat(100 * i));
      bench.tick(seconds(1));
    }
    EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kNotFinished)
        << "its loop goes on";
    for (int i = 0; i < 4; ++i) {
      bench.transport.arrives(1, overdue ? beat(6001 + i, seconds(i + 1)) : beat(6000));
      bench.tick(seconds(1));
    }
    EXPECT_EQ(bench.node.report().reason,
              "no answer of site east (tcp://east) to step 0 within 3 s");
  }
}

TEST(APseudoDynamicStep, IsNotWaitedForBecauseAnotherSiteSpeaks) {
  Bench bench(paced(ExecutionMode::kPseudoDynamic));
  bench.run();
  bench.answer(0, 0);
  for (int i = 0; i < 4; ++i) {
    bench.transport.arrives(0, Heartbeat{testing::kSession});
    bench.tick(seconds(1));
  }
  EXPECT_EQ(bench.node.report().reason,
            "no answer of site east (tcp://east) to step 0 within 3 s");
}

TEST(APseudoDynamicStep, GoesOutWhenItsTargetsAreSafeAndBooksTheWaitAsTheJournals) {
  Bench bench(paced(ExecutionMode::kPseudoDynamic));
  bench.recorder.safe = 0;
  bench.run();
  const TimePoint begun = bench.now;
  EXPECT_TRUE(bench.transport.commands.empty());
  // It is asked for again as soon as a disk may be done, not with the next heartbeat.
  EXPECT_LE(bench.node.tick(bench.now) - bench.now, std::chrono::microseconds(200));
  for (int n = 0; n < 7; ++n) bench.tick();
  EXPECT_TRUE(bench.transport.commands.empty());
  bench.recorder.safe = bench.recorder.secure_asked;
  bench.tick();
  ASSERT_EQ(bench.transport.commands.size(), 2U);
  const Duration waited = bench.now - begun;
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  const evaluation::RunReport report = bench.node.report();
  for (const evaluation::SiteReport& site : report.sites) {
    ASSERT_EQ(site.ledger.size(), kDelayAccounts);
    for (const evaluation::DelayComponentReport& account : site.ledger) {
      const double expected = account.account == "journal" ? trestle::seconds(waited) : 0.0;
      if (account.account == "journal" || account.account == "encode") {
        EXPECT_EQ(account.max, expected) << account.account;
      }
    }
  }
}

/// The sites were asked for nothing: it is not they who are silent.
TEST(APseudoDynamicStep, NamesTheDiskThatDoesNotTakeItsTargets) {
  for (const bool holds : {false, true}) {
    IntegratorSettings settings = paced(ExecutionMode::kPseudoDynamic);
    if (holds) settings.hold = seconds(60);
    Bench bench(settings);
    bench.recorder.safe = 0;
    bench.run();
    bench.tick(std::chrono::milliseconds(900));
    EXPECT_TRUE(bench.node.status().waits.empty()) << "each step waits for a moment";
    bench.tick(std::chrono::milliseconds(200));
    const NodeStatus status = bench.node.status();
    ASSERT_EQ(status.waits.size(), 1U);
    EXPECT_EQ(status.waits[0].whom, "the disk of the integrator's record");
    EXPECT_EQ(status.waits[0].what, "the targets of step 0");
    EXPECT_GE(status.waits[0].since, 1.0);
    EXPECT_EQ(bench.node.waiting_for(),
              "the disk of the integrator's record, for the targets of step 0");
    bench.tick(seconds(2));
    const std::string reason =
        "the disk of the integrator's record has not taken the targets of step 0 within 3 "
        "s, and nothing was sent: see to that disk";
    EXPECT_EQ(bench.node.status().reason, reason);
    for (const PeerStatus& peer : bench.node.status().peers)
      EXPECT_NE(peer.state, "AWAY") << peer.name;
    EXPECT_TRUE(bench.transport.commands.empty());
  }
}

TEST(APseudoDynamicStep, EndsTheTestWhereItsTargetsCannotBeMadeSafe) {
  Bench bench(paced(ExecutionMode::kPseudoDynamic));
  bench.recorder.safe = 0;
  bench.run();
  bench.recorder.broken = true;
  bench.tick();
  EXPECT_TRUE(bench.transport.commands.empty());
  EXPECT_NE(bench.node.report().reason.find("the disk is full"), std::string::npos)
      << bench.node.report().reason;
}

TEST(AContinuousStep, IsNoSilenceHoweverLongItTakes) {
  IntegratorSettings slow = paced(ExecutionMode::kContinuous);
  slow.pace.scale = 2000.0;  // 20 s a step; answers are waited for 3 s
  Bench bench(slow);
  bench.run();
  bench.tick(seconds(22));
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kNotFinished);
  bench.tick(seconds(2));
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kSiteLost);
}

TEST(AContinuousStep, IsDueAStepAfterTheLastOrSoonAfterItIsThere) {
  IntegratorSettings slow = paced(ExecutionMode::kContinuous);
  slow.pace.scale = 100.0;  // 1 s a step
  Bench bench(slow);
  bench.run();
  const auto due = [&bench] {
    return bench.transport.commands.back().second.due;
  };
  const auto step = [&bench](std::int64_t k, Duration later) {
    bench.tick(later);
    for (const int site : {0, 1}) bench.answer(site, k);
    bench.tick(Duration::zero());
  };
  EXPECT_EQ(due(), TimePoint{seconds(1)});
  step(0, milliseconds(1000));
  EXPECT_EQ(due(), TimePoint{seconds(2)});
  step(1, milliseconds(3000));  // two seconds late
  EXPECT_GT(due(), TimePoint{seconds(4)});
  EXPECT_LT(due(), TimePoint{milliseconds(4500)});
}

TEST(RealTime, ClosesTheFirstStepsByTheClockAndTheOthersByTheirAnswers) {
  RealTime bench;
  EXPECT_EQ(bench.transport.commands.back().second.due, TimePoint{milliseconds(10)});
  bench.until(milliseconds(9));
  EXPECT_EQ(bench.step(), 0);
  bench.until(milliseconds(10));
  EXPECT_EQ(bench.step(), 1) << "with the opening read";
  bench.until(milliseconds(19));
  EXPECT_EQ(bench.step(), 1);
  bench.answered(0);
  EXPECT_EQ(bench.step(), 2);
  for (std::int64_t k = 1; k < 20; ++k) bench.answered(k);
  EXPECT_EQ(bench.transport.sent<Stop>(0), 1);
  bench.finish();
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kComplete);
  EXPECT_EQ(bench.node.report().steps_done, 20);
  EXPECT_EQ(bench.node.report().sites[0].misses, 0);
  EXPECT_EQ(bench.recorder.sinks[1].pushed, 20);
  EXPECT_EQ(bench.recorder.sinks[4].pushed, 20) << "the ledger's, too";
  for (const auto& [index, row] : bench.recorder.sinks[1].rows)
    for (const double value : row) EXPECT_FALSE(std::isnan(value)) << index;
}

TEST(RealTime, TakesNoStepForSilenceThatTheClockHasNotReached) {
  IntegratorSettings impatient = real_time();
  impatient.pace.latency_steps = 3;
  impatient.answer = milliseconds(4);  // less than a step
  RealTime bench(impatient);
  bench.until(milliseconds(39));
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kNotFinished)
      << bench.node.report().reason;
  EXPECT_EQ(bench.step(), 3);
}

TEST(RealTime, TakesTheLastAnswersAtOnceWhereTheyAreIn) {
  IntegratorSettings settings = real_time();
  settings.pace.latency_steps = 3;
  settings.steps = 4;
  RealTime bench(settings);
  bench.until(milliseconds(40));
  ASSERT_EQ(bench.step(), 3);
  for (std::int64_t step = 0; step < 4; ++step)
    for (const int site : {0, 1}) bench.answer(site, step);
  for (int n = 0; n < 4; ++n)
    EXPECT_EQ(bench.node.tick(bench.now), bench.now) << "there is more to do at once";
  EXPECT_EQ(bench.transport.sent<Stop>(0), 1);
}

TEST(RealTime, GoesOnAtTheDeadlineWithoutAnAnswerAndCountsTheMiss) {
  RealTime bench;
  bench.answered(0);
  bench.answered(1, {0});
  bench.until(milliseconds(37));
  EXPECT_EQ(bench.step(), 2) << "east's answer to step 1 is waited for until 37.5 ms";
  bench.until(milliseconds(37) + std::chrono::microseconds(500));
  EXPECT_EQ(bench.step(), 3);
  EXPECT_EQ(bench.node.report().sites[0].misses, 0);
  EXPECT_EQ(bench.node.report().sites[1].misses, 1);
}

TEST(RealTime, RecordsALateAnswerOnceAndDoesNotUseIt) {
  RealTime bench;
  bench.answered(0);
  bench.answered(1, {0});
  bench.until(milliseconds(38));
  const std::int64_t steps = bench.node.steps_done();
  for (int n = 0; n < 2; ++n) bench.answer(1, 1);
  bench.answer(0, 1);  // doubled on its way: not late
  bench.tick(Duration::zero());
  EXPECT_EQ(bench.node.steps_done(), steps);
  EXPECT_EQ(bench.node.report().sites[1].late, 1);
  EXPECT_EQ(bench.node.report().sites[0].late, 0);
  for (std::int64_t k = 2; k < 20; ++k) bench.answered(k);
  bench.finish();
  const auto& rows = bench.recorder.sinks[1].rows;
  ASSERT_EQ(rows.size(), 20U);
  for (const double value : rows[1].second) EXPECT_FALSE(std::isnan(value));
}

/// Rows wait some steps for late answers; a person who exports the record of a held test
/// finds all of them.
TEST(RealTime, LeavesARowOfEveryStepInTheRecord) {
  IntegratorSettings settings = real_time();
  settings.resumable = true;
  RealTime bench(settings);
  for (std::int64_t k = 0; k < 12; ++k) bench.answered(k);
  EXPECT_EQ(bench.node.leave("ada@lab", "terminal", "Ctrl-C by ada@lab"), "");
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{testing::kSession});
  bench.tick();
  bench.tick();
  ASSERT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.recorder.sinks[1].rows.size(),
            static_cast<std::size_t>(bench.node.steps_done()));
  EXPECT_EQ(bench.recorder.closed, 0) << "the record stays unfinished";
}

/// The other modes close a step with its own answers: nothing waits.
TEST(OtherModes, LeaveARowOfEveryStepInTheRecord) {
  for (const ExecutionMode mode : {ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic,
                                   ExecutionMode::kContinuous}) {
    IntegratorSettings settings = paced(mode);
    settings.resumable = true;
    Bench bench(settings);
    bench.run();
    for (std::int64_t k = 0; k < 12; ++k) {
      for (const int site : {0, 1}) bench.answer(site, k);
      bench.tick();
    }
    EXPECT_EQ(bench.node.leave("ada@lab", "terminal", "Ctrl-C by ada@lab"), "");
    bench.finish();
    ASSERT_TRUE(bench.node.finished());
    EXPECT_EQ(bench.node.steps_done(), 12) << name(mode);
    EXPECT_EQ(bench.recorder.sinks[1].rows.size(), 12U) << name(mode);
  }
}

TEST(RealTime, TakesAnAnswerThatASiteMissedForNone) {
  RealTime bench;
  bench.answered(0);
  bench.until(milliseconds(30));
  StepResponse missed = bench.response(1);
  missed.missed = true;
  bench.transport.arrives(0, missed);
  bench.answer(1, 1);
  bench.tick(Duration::zero());
  EXPECT_EQ(bench.step(), 2);
  bench.until(milliseconds(38));
  EXPECT_EQ(bench.step(), 3);
  EXPECT_EQ(bench.node.report().sites[0].misses, 1);
  EXPECT_EQ(bench.node.report().sites[1].misses, 0);
}

TEST(RealTime, TakesAMissOfASiteThatCameBackWithoutNumbersForOne) {
  RealTime bench;
  bench.answered(0);
  bench.until(milliseconds(30));
  StepResponse missed;
  missed.session = testing::kSession;
  missed.step = 1;
  missed.missed = true;
  bench.transport.arrives(0, missed);
  bench.answer(1, 1);
  bench.until(milliseconds(38));
  EXPECT_EQ(bench.step(), 3) << bench.node.report().reason;
  EXPECT_EQ(bench.node.report().sites[0].misses, 1);
}

/// Held at step 1 and resumed, with a site that never executes it: it was at this step.
std::string reason_after_a_resume(std::int64_t last_step, bool says_missed) {
  IntegratorSettings settings = real_time();
  settings.misses.stop = true;
  RealTime bench(settings);
  bench.answered(0);
  EXPECT_EQ(bench.node.hold("ada@lab", "a look"), "");
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{testing::kSession});
  bench.tick();
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  bench.tick();
  bench.transport.arrives(0, Resumed{testing::kSession, last_step});
  bench.transport.arrives(1, Resumed{testing::kSession, 0});
  bench.tick();
  StepResponse missed;
  missed.session = testing::kSession;
  missed.step = 1;
  missed.missed = true;
  if (says_missed) bench.transport.arrives(0, missed);
  bench.answer(1, 1);
  for (int n = 0; n < 1000 && bench.transport.sent<Halt>(0) < 2; ++n) bench.tick();
  bench.finish();
  return bench.node.report().reason;
}

TEST(RealTime, SaysThatAStepThatASiteHasPassedAllowsNoResume) {
  EXPECT_EQ(reason_after_a_resume(3, true),
            "site west did not execute step 1 and has executed a later one, so it never "
            "will: with on_miss: stop each resume ends here; stop this test, and run it "
            "again");
  // Late, or due again: it may be executed after the next resume.
  for (const std::string& reason :
       {reason_after_a_resume(3, false), reason_after_a_resume(0, true)})
    EXPECT_EQ(reason.find("the answer of site west to step 1 missed its deadline"), 0U)
        << reason;
}

TEST(RealTime, StopsAtMoreMissesThanAreAllowed) {
  const auto reason = [](const auto& set, const std::vector<std::int64_t>& missed) {
    IntegratorSettings settings = real_time();
    set(settings.misses);
    RealTime bench(settings);
    for (std::int64_t k = 0; k < 20 && bench.transport.sent<Halt>(0) == 0; ++k) {
      const bool here = std::find(missed.begin(), missed.end(), k) == missed.end();
      bench.answered(k, here ? std::vector<int>{0, 1} : std::vector<int>{0});
      bench.until(milliseconds(10 * (k + 2) + 8));
    }
    bench.finish();
    EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kStopped);
    EXPECT_EQ(bench.transport.sent<Halt>(0), 1);
    return bench.node.report().reason.substr(0, bench.node.report().reason.find(';'));
  };
  EXPECT_EQ(reason([](MissedResponseSettings& misses) { misses.stop = true; }, {4}),
            "the answer of site east to step 4 missed its deadline (on_miss: stop)");
  EXPECT_EQ(reason([](MissedResponseSettings& misses) { misses.max_consecutive = 2; },
                   {1, 4, 5, 6}),
            "the answer of site east to step 6 missed its deadline (3 in a row, with 2 "
            "allowed)");
  EXPECT_EQ(reason(
                [](MissedResponseSettings& misses) {
                  misses.max_in_window = 1;
                  misses.window = milliseconds(50);
                },
                {1, 6, 10}),
            "the answer of site east to step 10 missed its deadline (2 within the window, "
            "with 1 allowed)");
}

TEST(RealTime, UsesNoAnswerThatNobodyAskedFor) {
  RealTime bench;
  for (const int site : {0, 1}) bench.answer(site, 2);  // before its target went out
  bench.tick(Duration::zero());
  bench.answered(0);
  bench.answered(1);
  EXPECT_EQ(bench.step(), 3);
  bench.until(milliseconds(39));
  EXPECT_EQ(bench.step(), 3) << "step 2 is not yet answered";
}

TEST(RealTime, BearsLateAnswersOfAnyLength) {
  RealTime bench;
  bench.answered(0);
  bench.answered(1, {0});
  bench.until(milliseconds(38));
  StepResponse none = bench.response(1);
  none.measured.resize(0);
  bench.transport.arrives(1, none);
  bench.tick(Duration::zero());
  EXPECT_EQ(bench.node.report().reason,
            "site east answered step 1 with 0 interface DOFs, not the 1 that were agreed");
}

}  // namespace
}  // namespace trestle::integrator_node::integrator_pace_test
