#include "numerical/node/coordinator.h"

#include <gtest/gtest.h>

#include <deque>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/numerical/node/run_bench.h"

namespace trestle::integrator_node::coordinator_test {
namespace {

/// A phase that requests the configured change, and records how it was entered.
class FakePhase final : public PhaseHandler {
 public:
  explicit FakePhase(const RunParts& run) : PhaseHandler(run) {}

  PhaseChange enter(const PhaseChange& change) override {
    entered.emplace_back(run().phase, change.trigger, change.from);
    return take(on_enter);
  }
  PhaseChange advance() override { return take(on_advance); }
  PhaseChange expired() override {
    ++deadlines;
    return {};
  }
  Awaited awaited(std::size_t /*site*/) const noexcept override {
    return Awaited::kNothing;
  }
  bool resend(std::size_t /*site*/) override { return false; }
  bool busy() const noexcept override { return more; }

  std::vector<std::tuple<Phase, Trigger, Phase>> entered;
  std::deque<PhaseChange> on_enter;
  std::deque<PhaseChange> on_advance;
  int deadlines = 0;
  bool more = false;

 private:
  static PhaseChange take(std::deque<PhaseChange>& from) {
    if (from.empty()) return {};
    PhaseChange first = std::move(from.front());
    from.pop_front();
    return first;
  }
};

/// A coordinator whose phases are a script.
struct Bench : testing::RunBench {
  FakePhase all{run};
  EndRules rules{run};
  Coordinator coordinator{
      phase,
      {&all, &all, &all, &all, &all, &all, &all, &all, &all, &all, &all, &all},
      rules,
      times};
};

PhaseChange fails(FaultKind kind = FaultKind::kStopped) {
  return {Trigger::kFail, RunCause{.fault = {.kind = kind}}};
}

TEST(Coordinator, FollowsChangesUntilNoPhaseAsksForMore) {
  Bench bench;
  bench.all.on_advance.push_back({Trigger::kArmed});
  bench.all.on_enter.push_back({Trigger::kMeasured});
  EXPECT_TRUE(bench.coordinator.tick()) << "there may be more to do";
  EXPECT_EQ(bench.phase, Phase::kRunning);
  ASSERT_EQ(bench.all.entered.size(), 2U);
  EXPECT_EQ(bench.all.entered[0], std::make_tuple(Phase::kInitialMeasurement,
                                                  Trigger::kArmed, Phase::kConnecting));
  EXPECT_EQ(bench.all.entered[1], std::make_tuple(Phase::kRunning, Trigger::kMeasured,
                                                  Phase::kInitialMeasurement));
  EXPECT_FALSE(bench.coordinator.tick());
  bench.all.more = true;
  EXPECT_TRUE(bench.coordinator.tick());
}

TEST(Coordinator, TellsThePhaseThatItsDeadlineHasPassed) {
  Bench bench;
  bench.times.now = TimePoint{std::chrono::seconds(1)};
  bench.coordinator.tick();
  EXPECT_EQ(bench.all.deadlines, 0) << "no deadline";
  bench.times.deadline.set(bench.times.now, Duration::zero());
  bench.coordinator.tick();
  EXPECT_EQ(bench.all.deadlines, 1);
}

TEST(Coordinator, BeginsTheFirstPhaseOnce) {
  Bench bench;
  bench.coordinator.start();
  EXPECT_EQ(bench.all.entered.size(), 1U);
  bench.coordinator.apply(fails());
  bench.coordinator.start();
  EXPECT_EQ(bench.all.entered.size(), 2U) << "a test that ends already does not begin";
}

TEST(Coordinator, EndsATestOnce) {
  Bench bench;
  bench.coordinator.apply(fails());
  EXPECT_EQ(bench.phase, Phase::kHalting);
  bench.coordinator.apply(fails());
  bench.coordinator.apply({Trigger::kEnd, RunCause{}});
  bench.coordinator.apply({Trigger::kLeave, RunCause{}});
  bench.coordinator.apply({Trigger::kHold, RunCause{}});
  EXPECT_EQ(bench.phase, Phase::kHalting);
  EXPECT_EQ(bench.all.entered.size(), 1U);
}

TEST(EndRules, HaltATestThatCannotBeResumed) {
  Bench bench;
  bench.phase = Phase::kRunning;
  bench.coordinator.apply(fails());
  EXPECT_EQ(bench.phase, Phase::kHalting);
}

TEST(EndRules, LeaveATestHeldThatCanBeResumed) {
  Bench bench;
  bench.settings.resumable = true;
  bench.phase = Phase::kRunning;
  const PhaseChange change = bench.rules.resolve(fails(), bench.phase);
  EXPECT_EQ(change.trigger, Trigger::kLeave);
  EXPECT_TRUE(change.cause->leaving);
}

TEST(EndRules, HoldRealEquipmentUntilAPersonDecides) {
  Bench bench;
  bench.settings.resumable = true;
  bench.phase = Phase::kRunning;
  bench.peers[1].agreement.description.real_equipment = true;
  const PhaseChange change = bench.rules.resolve(fails(), bench.phase);
  EXPECT_EQ(change.trigger, Trigger::kHold);
  EXPECT_TRUE(change.cause->operator_decides);
  EXPECT_FALSE(change.cause->leaving);
}

// Held in the middle of its record, it would continue from a structure that is half there.
TEST(EndRules, LeaveATestAsItWasThatFailsWhileItsRecordIsReplayed) {
  Bench bench;
  bench.settings.resumable = bench.settings.resume = true;
  bench.peers[1].agreement.description.real_equipment = true;
  bench.phase = Phase::kReplaying;
  bench.coordinator.apply({Trigger::kHold, RunCause{}});
  EXPECT_EQ(bench.phase, Phase::kReplaying) << "all hold in any case";
  bench.coordinator.apply(fails(FaultKind::kForceLimit));
  EXPECT_EQ(bench.phase, Phase::kEnded);
  ASSERT_EQ(bench.all.entered.size(), 1U);
  EXPECT_EQ(std::get<1>(bench.all.entered[0]), Trigger::kWithdraw);
}

TEST(EndRules, StopATestThatHasNotBegunWhenItsProcessLeaves) {
  Bench bench;
  bench.settings.resumable = true;
  const PhaseChange change =
      bench.rules.resolve({Trigger::kLeave, RunCause{}}, bench.phase);
  EXPECT_EQ(change.trigger, Trigger::kStop) << "the sites are free again";
  EXPECT_TRUE(change.cause->leaving);
}

TEST(EndRules, LeaveATestAsItWasThatCouldNotBeResumed) {
  Bench bench;
  bench.settings.resume = true;
  const auto resolved = [&](evaluation::RunResult result) {
    return bench.rules
        .resolve({Trigger::kEnd, RunCause{.result = result}}, Phase::kConnecting)
        .trigger;
  };
  EXPECT_EQ(resolved(evaluation::RunResult::kRejected), Trigger::kWithdraw);
  EXPECT_EQ(resolved(evaluation::RunResult::kSiteLost), Trigger::kWithdraw);
  EXPECT_EQ(resolved(evaluation::RunResult::kStopped), Trigger::kStop)
      << "a person wants its end";
}

}  // namespace
}  // namespace trestle::integrator_node::coordinator_test
