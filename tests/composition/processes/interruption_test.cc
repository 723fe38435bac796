#include "composition/processes/interruption.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "composition/processes/stop_signals.h"
#include "tests/numerical/node/integrator_bench.h"

namespace trestle::composition::interruption_test {
namespace {

using testing::kSession;

/// A test whose site "west" has equipment that could break. Its first step is under way.
struct Followed {
  Followed() {
    for (const int site : {0, 1}) bench.hello(site);
    auto& hello = std::get<Hello>(bench.transport.waiting.front().session);
    hello.site.real_equipment = hello.site.hardware_watchdog = true;
    bench.tick();
    for (const int site : {0, 1}) bench.configured(site);
    bench.tick();
    bench.node.arm("ada@lab");
    bench.tick();
    for (const int site : {0, 1}) bench.transport.arrives(site, Armed{kSession});
    bench.tick();
    answer(kInitialStep);
  }

  void answer(std::int64_t step) {
    for (const int site : {0, 1}) bench.answer(site, step);
    bench.tick();
  }
  /// The notice for the person who sent it.
  std::string signal(int number) {
    EXPECT_EQ(raise(number), 0);
    return interruption.follow(bench.node);
  }
  /// Between two signals.
  void all_hold() {
    for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
    for (int i = 0; i < 3; ++i) {
      bench.tick();
      EXPECT_EQ(interruption.follow(bench.node), "");
    }
  }

  testing::IntegratorBench bench;
  StopSignals signals{nullptr, nullptr};
  Interruption interruption{"runs/frame", "ada", false};
};

TEST(Interruption, StopsAtTheSecondCtrlC) {
  Followed test;
  EXPECT_NE(test.signal(SIGINT).find("this program stays"), std::string::npos);
  EXPECT_TRUE(test.bench.node.holds());
  test.answer(0);
  test.all_hold();

  EXPECT_NE(test.signal(SIGINT).find("the test is stopped for good"), std::string::npos);
  test.bench.tick();
  EXPECT_GT(test.bench.transport.sent<Stop>(0), 0);
}

TEST(Interruption, HoldsAgainAtACtrlCAfterTheTestHasContinued) {
  Followed test;
  EXPECT_NE(test.signal(SIGINT).find("this program stays"), std::string::npos);
  test.answer(0);
  test.all_hold();
  ASSERT_EQ(test.bench.node.resume("bob@lab"), "");
  for (int i = 0; i < 10 && test.bench.node.holds(); ++i) {
    for (const int site : {0, 1}) test.bench.transport.arrives(site, Resumed{kSession});
    test.bench.tick();
  }
  ASSERT_FALSE(test.bench.node.holds());
  EXPECT_EQ(test.interruption.follow(test.bench.node), "");

  EXPECT_NE(test.signal(SIGINT).find("this program stays"), std::string::npos);
  EXPECT_EQ(test.bench.transport.sent<Stop>(0), 0);
}

}  // namespace
}  // namespace trestle::composition::interruption_test
