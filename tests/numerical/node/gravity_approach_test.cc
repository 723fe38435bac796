// The way of specimens to the state under gravity, as record and operator see it.
#include "numerical/node/gravity_approach.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::gravity_approach_test {
namespace {

using std::chrono::seconds;
using testing::IntegratorBench;
using testing::kSession;

/// West goes to the state under gravity; east stands there.
IntegratorSettings settings() {
  IntegratorSettings with = testing::integrator_settings();
  with.mode = ExecutionMode::kPseudoDynamic;
  with.sites[0].to_gravity = true;
  with.hold = seconds(30);
  return with;
}

std::vector<std::string> told(const IntegratorBench& bench) {
  std::vector<std::string> found;
  std::copy_if(
      bench.recorder.events.begin(), bench.recorder.events.end(), std::back_inserter(found),
      [](const std::string& event) { return event.starts_with(gravity_approach::kEvent); });
  return found;
}

// The script of the numerical part feels the opening reads a little.
const std::string kBegun =
    "approach: begun: step 0 takes specimens from their zero to the state under gravity; "
    "site west goes to floor.x -2e-09 mm";
const std::string kContinued =
    "approach: continues: step 0 takes specimens to the state under gravity; site west "
    "goes to floor.x -2e-09 mm";
const std::string kFinished =
    "approach: finished: the opening read under gravity; site west at floor.x 1000 mm with "
    "0.001 kN";

TEST(GravityApproach, IsRecordedBeforeTheRigsMoveAndWithTheReadBehindIt) {
  IntegratorBench bench(settings());
  bench.recorder.safe = 0;  // no row is durable yet
  bench.run();
  EXPECT_EQ(told(bench), std::vector<std::string>{kBegun});
  EXPECT_TRUE(bench.transport.commands.empty()) << "what is begun is on record first";
  bench.recorder.safe = std::numeric_limits<std::uint64_t>::max();
  bench.tick();
  ASSERT_EQ(bench.transport.commands.size(), 2U);
  bench.answer(1, 0);
  bench.tick();
  EXPECT_EQ(told(bench).size(), 1U) << "west is on its way";
  bench.answer(0, 0);
  bench.tick();
  EXPECT_EQ(told(bench), (std::vector<std::string>{kBegun, kFinished}));
  for (const int site : {0, 1}) bench.answer(site, 1);
  bench.tick();
  EXPECT_EQ(told(bench).size(), 2U) << "it is made once";
}

TEST(GravityApproach, IsWhatTheOperatorWaitsFor) {
  IntegratorBench bench(settings());
  bench.run();
  EXPECT_EQ(bench.node.waiting_for(),
            "arrival in the state under gravity of site west (tcp://west), answer of site "
            "east (tcp://east)");
  NodeStatus now = bench.node.status();
  ASSERT_EQ(now.waits.size(), 2U);
  EXPECT_EQ(now.waits[0].what, "arrival in the state under gravity");
  EXPECT_EQ(now.waits[1].what, "answer to step 0");
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  now = bench.node.status();
  ASSERT_EQ(now.waits.size(), 2U);
  EXPECT_EQ(now.waits[0].what, "answer to step 1");
}

TEST(GravityApproach, ContinuesBehindAHold) {
  IntegratorBench bench(settings());
  bench.run();
  EXPECT_EQ(bench.node.hold("Ines", "look at the anchor"), "");
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
  bench.tick();
  EXPECT_EQ(told(bench), std::vector<std::string>{kBegun});
  EXPECT_EQ(bench.node.resume("Ines"), "");
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Resumed{kSession, -1});
  bench.tick();
  EXPECT_EQ(told(bench), (std::vector<std::string>{kBegun, kContinued}));
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  EXPECT_EQ(told(bench), (std::vector<std::string>{kBegun, kContinued, kFinished}));
}

TEST(GravityApproach, IsNoPartOfATestWhoseSpecimensStandPreloaded) {
  IntegratorSettings preloaded = settings();
  preloaded.sites[0].to_gravity = false;
  IntegratorBench bench(preloaded);
  bench.run();
  for (const int site : {0, 1}) bench.answer(site, 0);
  bench.tick();
  EXPECT_TRUE(told(bench).empty());
}

TEST(GravityApproach, SaysPositionsAndForcesInTheUnitsOfTheLaboratory) {
  IntegratorSettings with = settings();
  with.sites[0].layout = {{.name = "top.y"},
                          {.name = "top.rz", .kind = DofKind::kRotation},
                          {.name = "top.x", .role = DofRole::kForceOnly}};
  std::vector<SiteTarget> targets(2);
  targets[0].target = InterfaceMotion::zero(2);
  targets[0].target.displacement << -0.04628, 0.0012;
  EXPECT_EQ(gravity_approach::way(with, targets),
            "site west goes to top.y -46.28 mm, top.rz 1.2 mrad, top.x force only");
  std::vector<SiteResponse> answers(2);
  answers[0].measured = targets[0].target.displacement;
  answers[0].force = InterfaceVector::Zero(3);
  answers[0].force << -9256.0, 120.0, 3.0;
  EXPECT_EQ(gravity_approach::arrival(with, answers),
            "site west at top.y -46.28 mm with -9.256 kN, top.rz 1.2 mrad with 0.12 kN.m, "
            "top.x with 0.003 kN");
}

}  // namespace
}  // namespace trestle::integrator_node::gravity_approach_test
