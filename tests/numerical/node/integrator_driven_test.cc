// Targets that a program elsewhere sets, and the waits for them.
#include <gtest/gtest.h>

#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::integrator_driven_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::IntegratorBench;
using testing::kSession;

class ScriptedSource final : public ExternalTargetSource {
 public:
  State next() noexcept override { return word; }
  Duration time_to_timeout() const noexcept override { return left; }
  std::string who() const override { return "client 10.0.0.7:5000"; }
  std::string disconnect_reason() const override {
    return "client 10.0.0.7:5000 went away";
  }

  State word = State::kPending;
  Duration left = minutes(60);
};

struct Driven {
  static IntegratorSettings settings(ExternalTargetSource& source) {
    IntegratorSettings with = testing::integrator_settings();
    with.targets = &source;
    return with;
  }
  /// One target, and the answers to it.
  void step(std::int64_t number) {
    source.word = ExternalTargetSource::State::kTargetReady;
    bench.tick();
    source.word = ExternalTargetSource::State::kPending;
    for (const int site : {0, 1}) bench.answer(site, number);
    bench.tick();
  }

  ScriptedSource source;
  IntegratorBench bench{settings(source)};
};

TEST(IntegratorDriven, AsksNobodyBeforeTheTargetIsThere) {
  Driven driven;
  driven.bench.run();
  driven.bench.tick(minutes(30));
  EXPECT_TRUE(driven.bench.transport.commands.empty());
  EXPECT_GT(driven.bench.transport.sent<Heartbeat>(0), 0) << "the sites hear that it lives";
  EXPECT_EQ(driven.bench.node.waiting_for(), "next target of client 10.0.0.7:5000");
  ASSERT_EQ(driven.bench.node.status().waits.size(), 1U);
  EXPECT_EQ(driven.bench.node.status().waits[0].whom, "client 10.0.0.7:5000");
  driven.step(0);
  EXPECT_EQ(driven.bench.transport.commands.size(), 2U);
  EXPECT_EQ(driven.bench.node.steps_done(), 1);
}

TEST(IntegratorDriven, IsCompleteWhenTheSourceSaysSo) {
  Driven driven;
  driven.bench.run();
  for (std::int64_t k = 0; k < 3; ++k) driven.step(k);
  driven.source.word = ExternalTargetSource::State::kCompleted;
  driven.bench.tick();
  driven.bench.finish();
  testing::expect_end(driven.bench, evaluation::RunResult::kComplete, "");
  EXPECT_EQ(driven.bench.node.report().steps_done, 3);
  EXPECT_EQ(driven.bench.node.report().steps_planned, 3);
}

TEST(IntegratorDriven, HaltsAllWhenTheSourceGoesAwayBetweenSteps) {
  Driven driven;
  driven.bench.run();
  driven.step(0);
  driven.source.word = ExternalTargetSource::State::kDisconnected;
  driven.bench.tick();
  EXPECT_EQ(driven.bench.transport.sent<Halt>(0), 1);
  EXPECT_EQ(driven.bench.transport.sent<Halt>(1), 1);
  driven.bench.finish();
  testing::expect_end(driven.bench, evaluation::RunResult::kSiteLost,
                      "client 10.0.0.7:5000 went away");
}

TEST(IntegratorDriven, HaltsAllWhenTheSourceGoesAwayInAStep) {
  Driven driven;
  driven.bench.run();
  driven.source.word = ExternalTargetSource::State::kTargetReady;
  driven.bench.tick();
  driven.source.word = ExternalTargetSource::State::kDisconnected;
  driven.bench.tick();
  EXPECT_EQ(driven.bench.transport.sent<Halt>(0), 1);
}

TEST(IntegratorDriven, HaltsAllForATargetThatIsNoNumber) {
  Driven driven;
  driven.bench.run();
  driven.source.word = ExternalTargetSource::State::kInvalidTarget;
  driven.bench.tick();
  EXPECT_EQ(driven.bench.transport.sent<Halt>(0), 1);
  driven.bench.finish();
  EXPECT_EQ(driven.bench.node.report().result, evaluation::RunResult::kStopped);
}

TEST(IntegratorDriven, GivesUpASilentSource) {
  Driven driven;
  driven.bench.run();
  driven.source.left = seconds(5);
  driven.bench.tick();
  driven.bench.tick(seconds(4));
  EXPECT_EQ(driven.bench.transport.sent<Halt>(0), 0);
  driven.source.left = seconds(0);
  driven.bench.tick();
  driven.bench.tick();
  EXPECT_EQ(driven.bench.transport.sent<Halt>(0), 1);
  driven.bench.finish();
  EXPECT_EQ(driven.bench.node.report().result, evaluation::RunResult::kSiteLost);
}

TEST(IntegratorDriven, GoesOnWaitingAfterAnOperatorsHold) {
  Driven driven;
  driven.bench.run();
  driven.step(0);
  EXPECT_EQ(driven.bench.node.hold("ada@lab", ""), "");
  for (const int site : {0, 1}) driven.bench.transport.arrives(site, Heartbeat{kSession});
  driven.bench.tick();
  EXPECT_EQ(driven.bench.node.resume("ada@lab"), "");
  driven.bench.tick();
  for (const int site : {0, 1}) driven.bench.transport.arrives(site, Resumed{kSession, 0});
  driven.bench.tick();
  EXPECT_EQ(driven.bench.transport.commands.size(), 2U) << "nothing is asked again";
  EXPECT_EQ(driven.bench.node.waiting_for(), "next target of client 10.0.0.7:5000");
  driven.step(1);
  EXPECT_EQ(driven.bench.node.steps_done(), 2);
}

}  // namespace
}  // namespace trestle::integrator_node::integrator_driven_test
