#include "numerical/node/recovery.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/session/audit_actions.h"
#include "tests/numerical/node/run_bench.h"

namespace trestle::integrator_node::recovery_test {
namespace {

using testing::RunBench;
using Verdict = Recovery::Verdict;

/// Steps of a run, and its record. @returns the targets
std::vector<double> run_steps(RunBench& bench, std::int64_t steps) {
  bench.begin();
  std::vector<double> targets;
  for (std::int64_t step = 0; step < steps; ++step) targets.push_back(bench.run_step(step));
  return targets;
}

/// An integrator after its restart, with the record of another.
struct Restarted : RunBench {
  explicit Restarted(const RunBench& before) { recorder.run = before.recorder.run; }
  Restarted(const RunBench& before, const IntegratorSettings& with) : RunBench(with) {
    recorder.run = before.recorder.run;
  }

  Verdict replay() {
    Verdict verdict = Verdict::kBusy;
    while (verdict == Verdict::kBusy) verdict = recovery.replay_some();
    return verdict;
  }
};

TEST(Recovery, ContinuesFromItsRecordWithTheSameBits) {
  RunBench before;
  run_steps(before, 4);
  Restarted after(before);
  ASSERT_EQ(after.recovery.resume_record(), "");
  EXPECT_TRUE(after.recovery.from_record());
  EXPECT_EQ(after.recovery.open_step(), 4);
  ASSERT_EQ(after.replay(), Verdict::kDone);
  EXPECT_EQ(after.exchange.done(), 4);
  EXPECT_EQ(after.substructure.felt(), before.substructure.felt());
  after.recovery.leave_record();
  EXPECT_FALSE(after.recovery.from_record());
  EXPECT_EQ(after.run_step(4), before.run_step(4));
  EXPECT_EQ(after.peers[0].steps, 5) << "answers of both lives";
}

/// An integrator that left wrote rows that still waited for answers.
TEST(Recovery, MakesRowsThatLackAnAnswerAgain) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.steps = 20;
  RunBench before(settings);
  run_steps(before, 4);
  const std::size_t west = 1;  // behind its target
  before.recorder.run.streams["result"][2][west] = std::nan("");
  settings.mode = ExecutionMode::kRealTime;
  Restarted after(before, settings);
  ASSERT_EQ(after.recovery.resume_record(), "");
  EXPECT_EQ(after.record.extent().used, 3) << "no step is made again";
  EXPECT_EQ(after.record.extent().whole, 1);
  after.recorder.run.streams["result"].clear();  // as the store drops them
  ASSERT_EQ(after.replay(), Verdict::kDone);
  EXPECT_FALSE(after.record.has(0, 2)) << "it is asked for again";
  EXPECT_TRUE(after.record.has(1, 2)) << "an answer that came is kept";
  EXPECT_TRUE(after.record.has(0, 3));
  EXPECT_EQ(after.substructure.felt(), before.substructure.felt());
}

TEST(Recovery, GivesUpAStepOfWhichTheRecordHasOnlyTheTarget) {
  RunBench before;
  run_steps(before, 3);
  before.exchange.open(3);
  Restarted after(before);
  ASSERT_EQ(after.recovery.resume_record(), "");
  EXPECT_EQ(after.recovery.open_step(), 3);
}

TEST(Recovery, SaysWhyItCannotContinue) {
  RunBench before;
  run_steps(before, 2);
  RunBench none;
  EXPECT_EQ(none.recovery.resume_record(),
            "there is no record of this session to go on from");
  Restarted other_model(before);
  other_model.recorder.run.facts["model"] = "n";
  EXPECT_NE(other_model.recovery.resume_record().find("another model"), std::string::npos);
  Restarted other_program(before);
  other_program.recorder.run.facts["software"] = "0.0";
  EXPECT_NE(other_program.recovery.resume_record().find("trestle 0.0"), std::string::npos);
  Restarted early(before);
  early.recorder.run.streams["opening"].clear();
  EXPECT_NE(early.recovery.resume_record().find("before the first step"),
            std::string::npos);
}

TEST(Recovery, NoticesThatItComputesAnotherTarget) {
  RunBench before;
  run_steps(before, 4);
  Restarted after(before);
  after.substructure.spoil_at = 2;
  ASSERT_EQ(after.recovery.resume_record(), "");
  EXPECT_EQ(after.replay(), Verdict::kOtherTarget);
  EXPECT_EQ(after.recovery.replayed(), 2);
}

TEST(Recovery, ReplaysNothingBehindAGapInItsRecord) {
  RunBench before;
  run_steps(before, 4);
  Restarted after(before);
  after.recorder.run.streams["answer"].erase(2);
  ASSERT_EQ(after.recovery.resume_record(), "");
  EXPECT_EQ(after.replay(), Verdict::kLost);
  EXPECT_EQ(after.recovery.replayed(), 2);
  EXPECT_EQ(after.exchange.done(), 2) << "the step is not closed";
}

TEST(Recovery, TellsACompleteTestOnceMore) {
  RunBench before;
  run_steps(before, before.settings.steps);
  Restarted after(before);
  ASSERT_EQ(after.recovery.retell(), "");
  ASSERT_EQ(after.replay(), Verdict::kDone);
  EXPECT_TRUE(after.recovery.finish_retelling());
  EXPECT_EQ(after.exchange.done(), before.settings.steps);

  RunBench cut_off;
  run_steps(cut_off, 2);
  Restarted part(cut_off);
  ASSERT_EQ(part.recovery.retell(), "");
  ASSERT_EQ(part.replay(), Verdict::kDone);
  EXPECT_FALSE(part.recovery.finish_retelling());
}

/// A site has ended the test: its answers to the last steps cannot be asked for again.
TEST(Recovery, WritesTheRowOfEachStepThatWasAnswered) {
  RunBench before;
  run_steps(before, 4);
  IntegratorSettings settings = testing::integrator_settings();
  settings.completes_rows = true;
  Restarted after(before, settings);
  auto& rows = after.recorder.run.streams["result"];
  rows.erase(2);
  rows.erase(3);
  ASSERT_EQ(after.recovery.retell(), "");
  ASSERT_EQ(after.replay(), Verdict::kDone);
  after.recovery.finish_retelling();
  ASSERT_EQ(rows.size(), 4U);
  const auto& whole = before.recorder.run.streams["result"];
  EXPECT_EQ(rows.at(1), whole.at(1));
  EXPECT_EQ(rows.at(3).front(), whole.at(3).front()) << "the target";
  EXPECT_EQ(rows.at(3).back(), whole.at(3).back()) << "the motion";
  EXPECT_TRUE(std::isnan(rows.at(3).at(1))) << "not the answer of the step before";
}

/// A step whose answer was missed counts as the one before; one that was answered, and
/// whose measurement only the site has, does not.
TEST(Recovery, ComparesNoStepWhoseMeasurementTheRecordLacks) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.steps = 20;
  const auto judged = [&settings](int steps, std::int64_t lacking) {
    settings.mode = ExecutionMode::kPseudoDynamic;
    RunBench before(settings);
    run_steps(before, steps);
    settings.mode = ExecutionMode::kRealTime;
    Restarted after(before, settings);
    auto& rows = after.recorder.run.streams["result"];
    for (std::int64_t step = lacking; step < steps; ++step)
      rows.at(step).at(1) = std::nan("");
    EXPECT_EQ(after.recovery.retell(), "");
    EXPECT_EQ(after.replay(), Verdict::kDone);
    after.recovery.finish_retelling();
    evaluation::RunReport report;
    report.sites.resize(2);
    after.record.fill(report, after.peers);
    EXPECT_EQ(report.criteria.until_step, std::min<std::int64_t>(lacking, steps - 1));
    return report.criteria;
  };
  const evaluation::Criteria whole = judged(4, 3);
  const evaluation::Criteria lacking = judged(6, 3);
  constexpr std::size_t kPeak = 5;  // J6
  EXPECT_EQ(lacking.benchmark[kPeak], whole.benchmark[kPeak]);
  EXPECT_NE(judged(6, 6).benchmark[kPeak], whole.benchmark[kPeak]);
}

TEST(Recovery, FindsAPersonsStopThatNobodyHasFollowed) {
  RunBench before;
  run_steps(before, 4);
  for (const bool stopped : {false, true}) {
    Restarted after(before);
    if (stopped)
      after.recorder.run.audits = {{"ada@lab", "terminal", "stopped", "a weld cracked"}};
    ASSERT_EQ(after.recovery.resume_record(), "");
    EXPECT_EQ(after.recovery.stop().has_value(), stopped);
    ASSERT_EQ(after.replay(), Verdict::kDone);
    after.phase = Phase::kHeld;
    RunHold hold(after.run);
    SiteAdmission admission(after.run, hold);
    HoldPhase holding(after.run, hold, admission);
    const PhaseChange change = holding.enter({Trigger::kReplayed});
    ASSERT_EQ(change.trigger, stopped ? Trigger::kEnd : Trigger::kNone);
    if (stopped) EXPECT_EQ(change.cause->by, "ada@lab");
  }
}

TEST(Recovery, WaitsForAPersonWhereOneAtASiteHoldsTheTest) {
  RunBench before;
  run_steps(before, 4);
  for (const bool held : {false, true}) {
    Restarted after(before);
    ASSERT_EQ(after.recovery.resume_record(), "");
    ASSERT_EQ(after.replay(), Verdict::kDone);
    RunHold hold(after.run);
    SiteAdmission admission(after.run, hold);
    HoldPhase holding(after.run, hold, admission);
    if (held)
      hold.early().add(after.peers[0], "west: held by ada",
                       session::audit_held("ada@lab", "bus: west", "held by ada"));
    EXPECT_EQ(hold.early().any(), held);
    EXPECT_EQ(hold.early().owes_answer(after.peers[0]), held);
    after.peers[0].heard_hold = held ? 7 : 0;
    hold.early().answer();
    EXPECT_FALSE(hold.early().owes_answer(after.peers[0]));
    EXPECT_EQ(after.transport.sent<Halt>(0), held ? 1 : 0);
    EXPECT_TRUE(!held || after.transport.last<Halt>().hold == 7);
    after.phase = Phase::kHeld;
    holding.enter({Trigger::kReplayed});
    EXPECT_EQ(hold.needs_operator(), held);
    EXPECT_EQ(hold.order().by, held ? "ada@lab" : "");
    EXPECT_EQ(hold.reason() == "west: held by ada", held) << hold.reason();
  }
}

// The process that heard of it has ended: whoever types the next resume may not know of it.
TEST(Recovery, WaitsForAPersonWhereOneAtASiteHeldTheTestOnRecord) {
  RunBench before;
  run_steps(before, 4);
  Restarted after(before);
  after.recorder.run.audits = {
      session::audit_held("ada@lab", "bus: west", "held by ada@lab: a crack")};
  ASSERT_EQ(after.recovery.resume_record(), "");
  ASSERT_TRUE(after.recovery.site_hold());
  ASSERT_EQ(after.replay(), Verdict::kDone);
  RunHold hold(after.run);
  hold.early().recall(*after.recovery.site_hold());
  hold.begin_from_record();
  EXPECT_TRUE(hold.needs_operator());
  EXPECT_EQ(hold.reason(), "west: held by ada@lab: a crack");
  EXPECT_EQ(hold.order().by, "ada@lab");
  EXPECT_EQ(hold.order().node, "west");
  hold.early().answer();
  EXPECT_EQ(after.transport.sent<Halt>(0), 0) << "it was answered by the process before";
}

TEST(Recovery, LetsASiteBeGoneOnlyWhereItsLastStepIsRecorded) {
  RunBench bench;
  run_steps(bench, bench.settings.steps - 1);
  EXPECT_EQ(bench.recovery.actuators_where_complete("east"), "");
  bench.run_step(bench.settings.steps - 1);
  EXPECT_NE(bench.recovery.actuators_where_complete("east"), "");
}

/// West came back, and has lost all steps behind this one.
void reconnect(RunBench& bench, std::int64_t last_step) {
  bench.peers[0].session.set_reconnected(true);
  bench.peers[0].resume_point.last_step = last_step;
}

Verdict search(RunBench& bench) {
  Verdict verdict = bench.recovery.search();
  while (verdict == Verdict::kBusy) verdict = bench.recovery.search_some();
  return verdict;
}

TEST(Recovery, GivesASiteThatCameBackTheTargetsAgainThatItLost) {
  RunBench bench;
  const std::vector<double> targets = run_steps(bench, 4);
  bench.exchange.open(4);
  const double felt = bench.substructure.felt();
  reconnect(bench, 1);
  EXPECT_TRUE(bench.recovery.has_lagging_sites());
  ASSERT_EQ(search(bench), Verdict::kDone);
  EXPECT_EQ(bench.substructure.felt(), felt) << "the substructure is where it was";
  StepRepetition& repetition = bench.recovery.repetition();
  EXPECT_FALSE(repetition.owes(1)) << "east has lost nothing";
  for (const std::int64_t step : {2, 3}) {
    ASSERT_TRUE(repetition.owes(0));
    const StepCommand& command = repetition.next(0);
    EXPECT_EQ(command.step, step);
    EXPECT_EQ(command.target.displacement[0], targets[static_cast<std::size_t>(step)]);
    EXPECT_EQ(repetition.accept(0, bench.response(step, 0.1 * static_cast<double>(step))),
              StepRepetition::Verdict::kRepeated);
  }
  EXPECT_FALSE(repetition.anybody_owes());
}

TEST(Recovery, RepeatsTheOpenStepToASiteThatHadAnsweredIt) {
  RunBench bench;
  run_steps(bench, 3);
  bench.exchange.open(3);
  bench.accept(0, 3);
  reconnect(bench, 2);
  ASSERT_EQ(search(bench), Verdict::kDone);
  ASSERT_TRUE(bench.recovery.repetition().owes(0));
  EXPECT_EQ(bench.recovery.repetition().next(0).step, 3);
}

TEST(Recovery, SearchesNothingForASiteThatLostNothing) {
  RunBench bench;
  run_steps(bench, 3);
  bench.exchange.open(3);
  reconnect(bench, 2);
  EXPECT_FALSE(bench.recovery.has_lagging_sites());
  EXPECT_EQ(bench.recovery.search(), Verdict::kDone);
  EXPECT_FALSE(bench.recovery.repetition().anybody_owes());
}

TEST(Recovery, SaysThatItsRecordHasNotAllThatASiteLost) {
  RunBench bench;
  run_steps(bench, 4);
  bench.exchange.open(4);
  bench.recorder.run.streams["answer"].erase(2);
  const double felt = bench.substructure.felt();
  reconnect(bench, 1);
  EXPECT_EQ(search(bench), Verdict::kLost);
  EXPECT_FALSE(bench.recovery.searches());
  EXPECT_EQ(bench.substructure.felt(), felt);
  EXPECT_NE(bench.recovery.who_is_behind().find("site west came back behind step 1"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::integrator_node::recovery_test
