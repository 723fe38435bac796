// A person's command to a rig on the real control thread: who holds the rig when the node,
// or a function of the rig, does not come back.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "composition/sites/control_chain_factory.h"
#include "core/timing/monotonic_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/control_thread.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/erring_rig.h"

namespace trestle::site_node::rig_service_thread_test {
namespace {

using testing::ErringRig;
using Action = RigRequest::Action;
using enum session::SessionState;

constexpr auto kLongest = std::chrono::seconds(60);

class ForgetfulDiary final : public RigDiary {
 public:
  /// @param tares  counts how often a tare was kept
  explicit ForgetfulDiary(int& tares) : tares_(tares) {}
  void keep(const AuditEntry& /*act*/) override {}
  void begin_motion() override {}
  std::vector<AuditEntry> acts() const override { return {}; }
  void hand_over() override {}
  std::optional<RigZero> zero() const override { return std::nullopt; }
  void keep_zero(const std::string& /*by*/,
                 const std::vector<RigReading>& /*readings*/) override {}
  RigTare tare() const override { return {}; }
  void keep_tare(const std::string& /*by*/,
                 const std::vector<TareOffset>& /*offsets*/) override {
    ++tares_;
  }

 private:
  int& tares_;
};

struct Site {
  Site() {
    rig.reports = true;
    rig.servo = 1.0;
    SiteSettings settings;
    settings.control_chain = &composition::control_chain_factory();
    settings.name = "west";
    settings.software = "0.2";
    settings.loading_frame =
        std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1));
    settings.limits = {{.displacement = 0.5, .rate = 0.1, .force = 1e9}};
    settings.shares_clock = true;
    settings.watch.most_overruns = 1'000'000;  // of time nothing else is asked here
    settings.earlier.diary = std::make_unique<ForgetfulDiary>(tares);
    ControlThreadSettings thread;
    thread.priority = 0;
    settings.loop_executor = std::make_unique<ControlThread>(thread, clock);
    node = std::make_unique<SiteNode>(std::move(settings), rig, transport,
                                      SiteNode::Records{recorder.recording()}, clock);
  }
  /// Ticks until it is so, or only waits. @returns whether it came to be
  bool until(const std::function<bool()>& so, bool ticks = true) {
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (!so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      if (ticks) node->tick(clock.now());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }
  /// A long way, which has begun.
  void jog() {
    ASSERT_EQ(node->command_rig(
                  "ada@lab", {.action = Action::kJog, .amount = "400mm", .rate = "20mm/s"}),
              "");
    ASSERT_TRUE(until([&] { return state() == "moves"; }));
    at_word = rig.writes;
    EXPECT_EQ(node->command_rig("ada@lab", {.action = Action::kContinue}), "");
    ASSERT_TRUE(until([&] { return rig.drive > 0.0 && rig.writes > 20; }));
    EXPECT_EQ(node->take_outcome().value_or("none"), "");
  }
  int tares = 0;    ///< kept
  int at_word = 0;  ///< writes when the person's first word came
  std::string state() const { return node->status().commanded->state; }

  ErringRig rig;
  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  timing::MonotonicClock clock;
  std::unique_ptr<SiteNode> node;
};

TEST(RigServiceThread, HoldsTheRigOfASilentPersonThoughTheNodeDoesNotRun) {
  Site site;
  site.jog();
  // From here on the node's thread does nothing: the control thread alone sees the silence.
  ASSERT_TRUE(site.until([&] { return site.rig.held_last.load(); }, /*ticks=*/false));
  // A second at 128 ticks each, from the word on, and what a busy host may skip.
  EXPECT_LE(site.rig.writes - site.at_word, 128 + 2);
  EXPECT_LE(site.rig.jump, 0.02 / 128 * (1.0 + 1e-9));
  const double there = site.rig.drive;
  ASSERT_TRUE(site.until([&] { return site.state() == "over"; }));
  EXPECT_EQ(site.rig.drive, there);
  EXPECT_NE(site.node->state(), kFault);
}

TEST(RigServiceThread, HoldsFromAnotherThreadWhereTheDriverDoesNotComeBack) {
  for (const bool in_write : {false, true}) {
    Site site;
    site.jog();
    std::atomic<bool>& hangs = in_write ? site.rig.hangs_in_write : site.rig.hangs_in_read;
    const int holds = site.rig.holds;
    hangs = true;
    ASSERT_TRUE(site.until([&] { return site.node->state() == kFault; }));
    EXPECT_TRUE(site.rig.inside) << "the rig has not come back";
    EXPECT_GT(site.rig.holds, holds) << "another thread has asked it to hold";
    EXPECT_NE(site.node->reason().find("of the rig did not come back"), std::string::npos)
        << site.node->reason();
    EXPECT_EQ(site.state(), "hangs");
    EXPECT_NE(site.node->clear("ada@lab"), "") << "nobody knows what it still does";
    const double there = site.rig.drive;
    const int writes = site.rig.writes;
    hangs = false;
    ASSERT_TRUE(site.until([&] { return site.state() == "over"; }));
    EXPECT_EQ(site.rig.drive, there) << "a call that came back late moved something";
    EXPECT_EQ(site.rig.writes, writes);
    EXPECT_TRUE(site.rig.held_last);
    EXPECT_EQ(site.node->clear("ada@lab"), "");
    EXPECT_NE(site.node->state(), kFault);
  }
}

TEST(RigServiceThread, EndsWithTheNodeInAHold) {
  Site site;
  site.jog();
  site.node.reset();
  EXPECT_TRUE(site.rig.held_last);
  const int writes = site.rig.writes;
  EXPECT_TRUE(site.until([n = 0]() mutable { return ++n > 100; }, /*ticks=*/false));
  EXPECT_EQ(site.rig.writes, writes) << "a thread still drives it";
}

TEST(RigServiceThread, SaysAtOnceThatALookAtTheRigHangs) {
  for (const Action action : {Action::kStatus, Action::kJog}) {
    Site site;
    site.rig.hangs_in_read = true;
    ASSERT_EQ(
        site.node->command_rig("ada@lab", {.action = action,
                                           .amount = action == Action::kJog ? "1mm" : "",
                                           .rate = action == Action::kJog ? "20mm/s" : ""}),
        "");
    std::optional<std::string> outcome;
    ASSERT_TRUE(
        site.until([&] { return (outcome = site.node->take_outcome()).has_value(); }));
    EXPECT_TRUE(site.rig.inside);
    EXPECT_NE(outcome->find("ended in FAULT: "), std::string::npos) << *outcome;
    EXPECT_EQ(site.node->state(), kFault);
    site.rig.hangs_in_read = false;
    ASSERT_TRUE(site.until([&] { return site.state() == "over"; }));
    EXPECT_FALSE(site.node->status().commanded->done);
    EXPECT_EQ(site.rig.writes, 0);
  }
}

TEST(RigServiceThread, KeepsNoTareThatWasEndedBetweenItsLastReadingAndItsOutcome) {
  for (const bool ended : {false, true}) {
    Site site;
    ASSERT_EQ(site.node->command_rig("ada@lab", {.action = Action::kTare}), "");
    ASSERT_TRUE(site.until([&] { return site.state() == "reads"; }));
    // A second of readings; the node's thread does nothing meanwhile.
    ASSERT_TRUE(site.until([&] { return site.rig.reads >= 128; }, /*ticks=*/false));
    if (ended) {
      ASSERT_EQ(site.node->command_rig("bob@lab", {.action = Action::kEnd}), "");
    }
    ASSERT_TRUE(site.until([&] { return site.state() == "over"; }));
    const RigReport report = *site.node->status().commanded;
    EXPECT_EQ(report.done, !ended);
    EXPECT_EQ(site.tares, ended ? 0 : 1);
    EXPECT_EQ(report.outcome.find("stopped by bob@lab") != std::string::npos, ended)
        << report.outcome;
  }
}

TEST(RigServiceThread, PreparesARealRigBesideItsMessages) {
  Site site;
  ASSERT_EQ(site.node->command_rig("ada@lab", {.action = Action::kStatus}), "");
  ASSERT_TRUE(site.until([&] { return site.state() == "over"; }));
  EXPECT_TRUE(site.node->status().commanded->done);
  EXPECT_EQ(site.node->status().commanded->readings.size(), 2U);
  EXPECT_EQ(site.rig.writes, 0);
}

}  // namespace
}  // namespace trestle::site_node::rig_service_thread_test
