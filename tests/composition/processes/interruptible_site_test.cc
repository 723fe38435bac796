#include "composition/processes/interruptible_site.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "tests/site-servers/node/site_bench.h"

namespace trestle::composition::interruptible_site_test {
namespace {

using enum session::SessionState;

/// A server with real equipment whose test runs.
struct Served {
  Served() { site.run(); }

  void ticks(int count) {
    for (int i = 0; i < count && !server.finished(); ++i)
      server.tick(site.now += std::chrono::milliseconds(1));
  }
  /// Until the step that is asked for has been executed.
  void executes(std::int64_t step) {
    for (int i = 0; i < 10'000 && site.node.last_step() < step; ++i) ticks(1);
    ASSERT_EQ(site.node.last_step(), step);
  }
  void signal(int number) {
    ASSERT_EQ(raise(number), 0);
    ticks(1);
  }

  testing::SiteBench site{true};
  StopSignals signals{nullptr, nullptr};
  std::vector<std::string> said;
  InterruptibleSite server{site.node, "ada", false, [this](const std::string& sentence) {
                             said.push_back(sentence);
                           }};
};

TEST(InterruptibleSite, EndsAtTheSecondCtrlCThoughItsStepEndedAfterTheFirst) {
  Served test;
  test.site.gets(test.site.step(0));
  test.executes(0);
  test.site.gets(test.site.step(1, 0.011));
  ASSERT_EQ(test.site.node.last_step(), 0);
  test.signal(SIGINT);
  EXPECT_EQ(test.site.node.state(), kHolding);
  ASSERT_EQ(test.said.size(), 1U);
  EXPECT_NE(test.said[0].find("this server stays with its rig"), std::string::npos);
  test.executes(1);
  test.ticks(1000);
  ASSERT_FALSE(test.server.finished());

  test.signal(SIGINT);
  test.ticks(1000);
  EXPECT_TRUE(test.server.finished());
  EXPECT_EQ(test.site.node.last_step(), 1);
}

}  // namespace
}  // namespace trestle::composition::interruptible_site_test
