#include "composition/processes/interruptible_site.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "composition/sites/control_chain_factory.h"
#include "core/ports/clock.h"
#include "core/session/session_contract.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/erring_rig.h"

namespace trestle::composition::interruptible_site_test {
namespace {

using enum session::SessionState;

const SessionId kSession{1, 2, 3};
constexpr auto kLongest = std::chrono::seconds(60);

/// Time in the hands of the test. The threads that watch the rig read it, too.
class HandClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return TimePoint{Duration{now_.load()}}; }
  void advance_to(TimePoint until) noexcept override {
    now_.store(std::max(now_.load(), until.time_since_epoch().count()));
  }

 private:
  std::atomic<Duration::rep> now_{0};
};

/// The control thread, in the hands of the test.
class HandExecutor final : public site_node::LoopExecutor {
 public:
  void begin(site_node::TickedLoop& loop) override { loop_ = &loop; }
  TimePoint tick(TimePoint /*now*/) noexcept override { return TimePoint::max(); }
  using LoopExecutor::end;
  bool end(Duration /*at_most*/) noexcept override {
    loop_ = nullptr;
    return true;
  }
  void cycle(TimePoint now) {
    if (loop_ != nullptr) loop_->tick(now);
  }

 private:
  site_node::TickedLoop* loop_ = nullptr;
};

Configure configuration() {
  Configure configure;
  configure.session = kSession;
  configure.test = "frame";
  configure.mode = name(ExecutionMode::kPseudoDynamic);
  configure.time_step = 0.01;
  configure.ticks_per_step = 5;
  configure.steps_planned = 1000;
  configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
  configure.heartbeat_period = 0.1;
  configure.watchdog = 1000.0;
  configure.pace.rate = 0.02;
  configure.pace.settle = 0.01;
  configure.pace.average = 0.004;
  return configure;
}

/// A server with real equipment whose test runs.
class Served {
 public:
  Served() {
    site_node::SiteSettings settings;
    settings.control_chain = &control_chain_factory();
    settings.name = "west";
    settings.software = "0.2";
    settings.loading_frame =
        std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1));
    settings.limits = {{.displacement = 0.05, .rate = 0.03, .force = 1e9}};
    settings.shares_clock = true;
    settings.watch.stall = std::chrono::hours(1);
    settings.watch.overrun = std::chrono::hours(1);
    auto executor = std::make_unique<HandExecutor>();
    loop_ = executor.get();
    settings.loop_executor = std::move(executor);
    node = std::make_unique<site_node::SiteNode>(
        std::move(settings), rig_, transport_,
        site_node::SiteNode::Records{recorder_.recording()}, clock_);
    server = std::make_unique<InterruptibleSite>(
        *node, "ada", false,
        [this](const std::string& sentence) { said.push_back(sentence); });
    gets(Welcome{kProtocolVersion, "0.1"});
    gets(configuration());
    // The rig gets ready on a thread of its own.
    EXPECT_TRUE(until([&] { return transport_.sent<Configured>(0) > 0; }));
    gets(Arm{kSession, session::contract_hash(transport_.last<Configured>().contract),
             "ada@lab"});
    gets(Start{kSession});
    EXPECT_TRUE(until([&] { return node->state() == kRunning; }));
  }

  void pass(std::chrono::milliseconds time = std::chrono::milliseconds(1)) {
    clock_.advance_to(clock_.now() + time);
  }
  /// The server's thread; that of the loop has no turn.
  void serve() { server->tick(clock_.now()); }
  bool until(const std::function<bool()>& so) {
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (!so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      pass();
      loop_->cycle(clock_.now());
      serve();
      std::this_thread::yield();
    }
    return true;
  }
  void asks_for(std::int64_t step, double target) {
    StepCommand command;
    command.session = kSession;
    command.step = step;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    transport_.arrives(0, command);
    serve();
  }
  /// The loop executes the step that was asked for; the server does not know of it yet.
  void loop_alone() {
    for (int i = 0; i < 3000; ++i) {
      pass();
      loop_->cycle(clock_.now());
    }
  }
  void signal(int number) {
    ASSERT_EQ(raise(number), 0);
    serve();
  }

 private:
  void gets(const SessionMessage& message) {
    transport_.arrives(0, message);
    serve();
  }

  testing::ScriptedTransport transport_;
  testing::FakeRecorder recorder_;
  testing::ErringRig rig_;
  HandClock clock_;
  StopSignals signals_{nullptr, nullptr};
  HandExecutor* loop_ = nullptr;

 public:
  std::vector<std::string> said;
  std::unique_ptr<site_node::SiteNode> node;
  std::unique_ptr<InterruptibleSite> server;
};

TEST(InterruptibleSite, EndsAtTheSecondCtrlCThoughItsStepEndedAfterTheFirst) {
  Served test;
  test.asks_for(0, 0.001);
  ASSERT_TRUE(test.until([&] { return test.node->last_step() == 0; }));
  test.asks_for(1, 0.0011);
  test.loop_alone();
  ASSERT_EQ(test.node->last_step(), 0);
  test.signal(SIGINT);
  ASSERT_EQ(test.said.size(), 1U);
  EXPECT_NE(test.said[0].find("this server stays with its rig"), std::string::npos);
  ASSERT_TRUE(test.until([&] { return test.node->state() == kHolding; }));
  ASSERT_EQ(test.node->last_step(), 1) << "its step had been executed";
  ASSERT_FALSE(test.server->finished());

  test.signal(SIGINT);
  EXPECT_TRUE(test.until([&] { return test.server->finished(); }));
}

}  // namespace
}  // namespace trestle::composition::interruptible_site_test
