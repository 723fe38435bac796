// Of a site that is armed, or runs, and has not moved its rig yet: what a person's hold and
// the end of the test do there. And what nobody can confirm of equipment that is gone.
#include <gtest/gtest.h>

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
  void end() {
    site_.gets(Stop{kSession, "held by bob@lab", "bob@lab", {}});
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

// A loop that has taken the word, and whose equipment no longer answers, knows nothing.
TEST_P(BeforeFirstStep, NobodySaysThatEquipmentHoldsWhichIsGone) {
  arm();
  start();
  EXPECT_EQ(site_.node->hold("ada@lab", "a noise"), "");
  site_.run_for(0.1);
  EXPECT_EQ(site_.node->status().rig, "holds");
  site_.rig.stopped = true;  // each read fails
  site_.run_for(0.5);
  ASSERT_EQ(site_.node->state(), kFault);
  EXPECT_EQ(site_.node->status().rig, "asked to hold");
  site_.rig.stopped = false;
  site_.run_for(0.5);
  EXPECT_EQ(site_.node->status().rig, "holds") << "it answers again";
}

INSTANTIATE_TEST_SUITE_P(Modes, BeforeFirstStep,
                         ::testing::Values(ExecutionMode::kPseudoDynamic,
                                           ExecutionMode::kContinuous,
                                           ExecutionMode::kRealTime),
                         [](const auto& mode) {
                           std::string text(name(mode.param));
                           std::erase(text, '-');
                           return text;
                         });

}  // namespace
}  // namespace trestle::site_node::before_first_step_test
