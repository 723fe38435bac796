#include "numerical/node/step_exchange.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/types/record_names.h"
#include "tests/numerical/node/run_bench.h"

namespace trestle::integrator_node::step_exchange_test {
namespace {

using std::chrono::milliseconds;
using testing::RunBench;

IntegratorSettings real_time() {
  IntegratorSettings settings = testing::integrator_settings();
  settings.mode = ExecutionMode::kRealTime;
  settings.pace.latency_steps = 1;
  settings.pace.virtual_clock = true;
  settings.misses.max_consecutive = 2;
  return settings;
}

void open(RunBench& bench, std::int64_t step) {
  ASSERT_EQ(bench.exchange.open(step), OpenVerdict::kOpened);
  bench.exchange.send();
}

TEST(StepExchange, SendsOneTargetToEachSiteAndClosesWithAllAnswers) {
  RunBench bench;
  bench.begin();
  open(bench, 0);
  ASSERT_EQ(bench.transport.commands.size(), 2U);
  for (const auto& [site, command] : bench.transport.commands) {
    EXPECT_EQ(command.step, 0);
    EXPECT_EQ(command.session, testing::kSession);
  }
  EXPECT_EQ(bench.accept(0, 0), AnswerVerdict::kUsed);
  EXPECT_FALSE(bench.exchange.ready());
  EXPECT_EQ(bench.accept(1, 0), AnswerVerdict::kUsed);
  ASSERT_TRUE(bench.exchange.ready());
  EXPECT_EQ(bench.exchange.close(), CloseVerdict::kClosed);
  EXPECT_EQ(bench.exchange.done(), 1);
}

TEST(StepExchange, UsesAnAnswerOnceAndNoneOfAStepThatWasNotOpened) {
  RunBench bench;
  bench.begin();
  open(bench, 0);
  EXPECT_EQ(bench.accept(0, 1), AnswerVerdict::kNotUsed) << "nobody has asked for it";
  EXPECT_EQ(bench.accept(0, 0, 3.0), AnswerVerdict::kUsed);
  EXPECT_EQ(bench.accept(0, 0, 4.0), AnswerVerdict::kNotUsed);
  EXPECT_EQ(bench.exchange.barrier().answers()[0].force[0], 3.0);
  EXPECT_EQ(bench.peers[0].steps, 1);
}

TEST(StepExchange, SaysWhatIsWrongWithAnAnswer) {
  RunBench bench;
  bench.begin();
  open(bench, 0);
  StepResponse actuators = bench.response(0);
  actuators.actuators.force = ActuatorVector::Ones(2);
  EXPECT_EQ(bench.exchange.accept(0, actuators, true), AnswerVerdict::kWrongActuators);
  StepResponse dofs = bench.response(0);
  dofs.measured = InterfaceVector::Ones(2);
  EXPECT_EQ(bench.exchange.accept(0, dofs, true), AnswerVerdict::kWrongDofs);
  StepResponse forces = bench.response(0);
  forces.force = InterfaceVector::Ones(2);
  EXPECT_EQ(bench.exchange.accept(0, forces, true), AnswerVerdict::kWrongForces);
  EXPECT_EQ(bench.accept(0, 0, std::numeric_limits<double>::quiet_NaN()),
            AnswerVerdict::kNotFinite);
  EXPECT_FALSE(bench.exchange.has(0));
}

TEST(StepExchange, DoesNotUseAnAnswerOfASiteThatExecutedNothing) {
  RunBench bench;
  bench.begin();
  open(bench, 0);
  StepResponse missed = bench.response(0);
  missed.missed = true;
  EXPECT_EQ(bench.exchange.accept(0, missed, true), AnswerVerdict::kNotUsed);
  EXPECT_FALSE(bench.exchange.has(0));
}

TEST(StepExchange, SendsTheSameTargetOnceMore) {
  RunBench bench;
  bench.begin();
  open(bench, 0);
  bench.exchange.send_again(1);
  ASSERT_EQ(bench.transport.commands.size(), 3U);
  const auto& [site, again] = bench.transport.commands[2];
  EXPECT_EQ(site, 1);
  EXPECT_EQ(again.step, 0);
  EXPECT_EQ(again.target.displacement[0],
            bench.transport.commands[1].second.target.displacement[0]);
}

TEST(StepExchange, SendsTargetsAfterAHoldOnlyToSitesThatOweAnAnswer) {
  RunBench bench;
  bench.begin();
  open(bench, 0);
  bench.accept(0, 0);
  bench.transport.commands.clear();
  bench.exchange.send();
  ASSERT_EQ(bench.transport.commands.size(), 1U);
  EXPECT_EQ(bench.transport.commands[0].first, 1);
}

TEST(StepExchange, SaysThatTheResponseDivergesOrTheRecordLosesARow) {
  RunBench diverging;
  diverging.substructure.diverges_at = 0;
  diverging.begin();
  open(diverging, 0);
  for (const std::size_t site : {0U, 1U}) diverging.accept(site, 0);
  EXPECT_EQ(diverging.exchange.close(), CloseVerdict::kDiverged);
  EXPECT_EQ(diverging.exchange.done(), 0);

  RunBench losing;
  losing.begin();
  open(losing, 0);
  for (const std::size_t site : {0U, 1U}) losing.accept(site, 0);
  losing.recorder.loses_rows = true;
  EXPECT_EQ(losing.exchange.close(), CloseVerdict::kRowLost);
  EXPECT_EQ(losing.exchange.open(1), OpenVerdict::kRowLost);
}

TEST(StepExchange, RecordsAndSendsNoTargetThatIsNotFinite) {
  for (const double spoilt : {std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
    RunBench bench;
    bench.begin();
    bench.run_step(0);
    const std::size_t sent = bench.transport.commands.size();
    bench.substructure.spoil_at = 1;
    bench.substructure.spoilt = spoilt;
    EXPECT_EQ(bench.exchange.open(1), OpenVerdict::kDiverged);
    EXPECT_EQ(bench.transport.commands.size(), sent);
    EXPECT_EQ(bench.recorder.run.streams[stream_name::kIntent].count(1), 0U);
    EXPECT_EQ(bench.recorder.run.streams[stream_name::kIntent].count(0), 1U);
  }
}

TEST(StepExchange, WaitsForEachAnswerWhereTimeDoesNotCloseASteps) {
  RunBench bench;
  bench.begin();
  open(bench, 0);
  bench.times.now += std::chrono::hours(1);
  EXPECT_FALSE(bench.exchange.ready());
  EXPECT_FALSE(bench.exchange.make_up());
  EXPECT_FALSE(bench.exchange.has(0)) << "nothing is made up";
  EXPECT_EQ(bench.exchange.closes(), TimePoint::max());
}

// Δt 10 ms, L = 1: step k closes with the answers to step k − 1.
TEST(StepExchange, MakesUpInRealTimeForWhatIsNotInByTheDeadline) {
  RunBench bench(real_time());
  bench.begin();
  open(bench, 0);
  EXPECT_FALSE(bench.exchange.ready());
  bench.times.now = bench.exchange.closes();
  EXPECT_TRUE(bench.exchange.ready()) << "with the opening reads";
  EXPECT_EQ(bench.exchange.close(), CloseVerdict::kClosed);

  open(bench, 1);
  EXPECT_EQ(bench.exchange.awaited(), 0);
  EXPECT_EQ(bench.accept(0, 0, 2.0), AnswerVerdict::kUsed);
  EXPECT_FALSE(bench.exchange.make_up());
  EXPECT_FALSE(bench.exchange.ready()) << "there is time left";
  bench.times.now = bench.exchange.closes();
  EXPECT_FALSE(bench.exchange.make_up()) << "one miss is allowed";
  EXPECT_TRUE(bench.exchange.ready());
  EXPECT_EQ(bench.exchange.misses().of(1).all(), 1);
  EXPECT_EQ(bench.exchange.misses().of(0).all(), 0);
}

TEST(StepExchange, SaysWhoMissedTooOften) {
  RunBench bench(real_time());
  bench.begin();
  std::optional<StepExchange::TooManyMisses> missed;
  for (std::int64_t step = 0; step < 5 && !missed; ++step) {
    open(bench, step);
    if (step > 0) bench.accept(0, step - 1);
    bench.times.now = bench.exchange.closes();
    missed = bench.exchange.make_up();
    if (!missed) bench.exchange.close();
  }
  ASSERT_TRUE(missed);
  EXPECT_EQ(missed->site, 1U);
  EXPECT_EQ(missed->verdict, MissPolicy::Verdict::kInARow);
  EXPECT_EQ(bench.exchange.awaited(), 2) << "the third in a row, with 2 allowed";
}

TEST(StepExchange, MakesUpForNoAnswerToTheStepAtWhichItStops) {
  RunBench bench(real_time());
  bench.begin();
  std::optional<StepExchange::TooManyMisses> missed;
  for (std::int64_t step = 0; step < 5 && !missed; ++step) {
    open(bench, step);
    if (step > 0 && step < 3) bench.accept(0, step - 1);
    bench.times.now = bench.exchange.closes();
    missed = bench.exchange.make_up();
    if (!missed) bench.exchange.close();
  }
  ASSERT_TRUE(missed);
  ASSERT_EQ(bench.exchange.awaited(), 2);
  EXPECT_FALSE(bench.exchange.has(0)) << "its first miss: after a resume it answers";
  EXPECT_EQ(bench.accept(0, 2, 2.0), AnswerVerdict::kUsed);
}

}  // namespace
}  // namespace trestle::integrator_node::step_exchange_test
