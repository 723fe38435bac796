// Of a site that is armed, or runs, and has not moved its rig yet: what a person's hold and
// the end of the test do there. And what nobody can confirm of equipment that is gone.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>

#include "tests/site-servers/node/equipment_laboratory.h"

namespace trestle::site_node::before_first_step_test {
namespace {

using namespace laboratory;  // NOLINT(google-build-using-namespace)

class BeforeFirstStep : public ::testing::TestWithParam<ExecutionMode> {
 protected:
  void arm() {
    site_.rig.servo = 1.0;
    site_.rig.moved_to(5e-3);  // before the test
    site_.gets(Welcome{kProtocolVersion, "0.1"});
    site_.gets(site_.configure);
    site_.gets(Arm{kSession,
                   session::contract_hash(site_.transport.last<Configured>().contract),
                   "ada@lab"});
    site_.run_for(0.1);
    ASSERT_EQ(site_.node->state(), kArmed) << site_.node->reason();
  }
  void start() {
    site_.zero = site_.clock.now() + after(0.02);
    site_.gets(Start{kSession, site_.zero});
    site_.run_for(0.1);
  }
  /// Which the integrator has heard.
  std::int64_t last_hold() const {
    return site_.transport.sent<Halt>(0) > 0 ? site_.transport.last<Halt>().hold : 0;
  }
  void end() {
    site_.gets(Stop{kSession, "held by bob@lab", "bob@lab", {}, last_hold()});
    site_.run_for(3.0);
    EXPECT_EQ(site_.node->state(), kConfigured);
    EXPECT_GE(site_.transport.sent<Stopped>(0), 1);
    EXPECT_EQ(site_.rig.drive, 5e-3) << "it was moved to its safe position";
    EXPECT_TRUE(site_.rig.held_last);
  }

  Laboratory site_{GetParam()};
};

TEST_P(BeforeFirstStep, TheEndOfATestMovesNothing) {
  arm();
  start();
  ASSERT_EQ(site_.node->state(), kRunning);
  end();
}

TEST_P(BeforeFirstStep, TheEndOfATestThatHoldsMovesNothing) {
  arm();
  start();
  EXPECT_EQ(site_.node->hold("ada@lab", "a noise"), "");
  site_.run_for(0.1);
  ASSERT_EQ(site_.node->state(), kHolding);
  end();
}

TEST_P(BeforeFirstStep, AnArmedSiteThatAPersonHoldsIsNotStarted) {
  arm();
  EXPECT_EQ(site_.node->hold("ada@lab", "a noise"), "");
  EXPECT_EQ(site_.transport.last<Halt>().by, "ada@lab");
  EXPECT_EQ(site_.transport.last<Halt>().reason, "held by ada@lab: a noise");
  const int writes = site_.rig.writes;
  const int halts = site_.transport.sent<Halt>(0);
  start();
  EXPECT_EQ(site_.node->state(), kArmed);
  EXPECT_GT(site_.transport.sent<Halt>(0), halts) << "it is told once more";
  EXPECT_EQ(site_.transport.responses.size(), 0U) << "it was started";
  EXPECT_EQ(site_.rig.writes, writes);
  EXPECT_NE(site_.node->status().reason.find("held by ada@lab"), std::string::npos);
  end();
}

TEST_P(BeforeFirstStep, AnArmedSiteThatAPersonStopsIsNotStarted) {
  arm();
  EXPECT_EQ(site_.node->stop("ada@lab", "a leak"), "");
  const int halts = site_.transport.sent<Halt>(0);  // as if it were lost
  start();
  EXPECT_EQ(site_.node->state(), kArmed);
  EXPECT_GT(site_.transport.sent<Halt>(0), halts) << "it is told once more";
  EXPECT_EQ(site_.transport.responses.size(), 0U) << "it was started";
  site_.rig.held_last = true;  // nothing was ever asked of it
  end();
}

// Half of the way of the first step is done, and nothing of it is answered.
class InFirstStep : public BeforeFirstStep {
 protected:
  void move_a_little() {
    arm();
    start();
    ASSERT_EQ(site_.node->state(), kRunning);
    site_.step(0, 5e-3 + site_.way_of_a_step());
    for (int n = 0; n < 1000 && site_.rig.drive <= 5e-3; ++n)
      site_.run_until(site_.clock.now() + after(2e-4));
    ASSERT_GT(site_.rig.drive, 5e-3);
    ASSERT_EQ(site_.node->last_step(), kInitialStep);
  }
  void expect_home() {
    site_.gets(Stop{kSession, "enough", "bob@lab", {}, last_hold()});
    site_.run_for(5.0);
    EXPECT_EQ(site_.node->state(), kConfigured) << site_.node->reason();
    EXPECT_NEAR(site_.rig.drive, 0.0, 1e-9) << "its safe position";
  }
};

TEST_P(InFirstStep, TheEndBringsTheRigHome) {
  move_a_little();
  expect_home();
}

TEST_P(InFirstStep, TheEndAfterARestartBringsTheRigHome) {
  move_a_little();
  site_.die();
  ASSERT_TRUE(site_.come_back()) << site_.node->reason();
  site_.run_for(0.1);
  expect_home();
}

TEST_P(InFirstStep, TheEndAfterAResumeBringsTheRigHome) {
  move_a_little();
  EXPECT_EQ(site_.node->hold("ada@lab", "a noise"), "");
  site_.run_for(0.5);
  ASSERT_EQ(site_.node->state(), kHolding);
  site_.resume();
  expect_home();
}

// A loop that has taken the word, and whose equipment no longer answers, knows nothing.
TEST_P(BeforeFirstStep, NobodySaysThatEquipmentHoldsWhichIsGone) {
  arm();
  start();
  EXPECT_EQ(site_.node->hold("ada@lab", "a noise"), "");
  site_.run_for(0.1);
  EXPECT_EQ(site_.node->status().rig, "holds");
  site_.rig.most_stale = 0;
  for (std::atomic<bool>* const gone : {&site_.rig.cut, &site_.rig.stopped}) {
    *gone = true;  // nothing fresh comes; or each read fails
    site_.run_for(0.5);
    ASSERT_EQ(site_.node->state(), kFault);
    EXPECT_EQ(site_.node->status().rig, "asked to hold");
    *gone = false;
    site_.run_for(0.5);
    EXPECT_EQ(site_.node->status().rig, "holds") << "it answers again";
  }
}

std::string word_of(const ::testing::TestParamInfo<ExecutionMode>& mode) {
  std::string text(name(mode.param));
  std::erase(text, '-');
  return text;
}

constexpr std::array kModes{ExecutionMode::kPseudoDynamic, ExecutionMode::kContinuous,
                            ExecutionMode::kRealTime};
INSTANTIATE_TEST_SUITE_P(Modes, BeforeFirstStep, ::testing::ValuesIn(kModes), word_of);
// In real time a step takes its own time, and the first one is over with its tick.
INSTANTIATE_TEST_SUITE_P(Modes, InFirstStep,
                         ::testing::Values(ExecutionMode::kPseudoDynamic,
                                           ExecutionMode::kContinuous),
                         word_of);

}  // namespace
}  // namespace trestle::site_node::before_first_step_test
