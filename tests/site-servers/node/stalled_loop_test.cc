// A rig whose functions hang: which thread calls hold(), and what every node else hears of
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "composition/sites/control_chain_factory.h"
#include "core/journal/journal_recorder.h"
#include "core/session/session_contract.h"
#include "core/timing/monotonic_clock.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/control_thread.h"
#include "site-servers/node/site_node.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/erring_rig.h"
#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::stalled_loop_test {
namespace {

using testing::after;
using testing::at;
using testing::ErringRig;
using enum session::SessionState;

const SessionId kSession{1, 2, 3};
// Longer than a busy host keeps a thread waiting: no stall but that of the rig. Shorter
// than a clear() waits for its read.
constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kLongest = std::chrono::seconds(60);

TEST(StallGuard, TakesNoCommunicationForACompletedCycle) {
  ErringRig rig;
  timing::VirtualClock clock;
  StallGuard guard(rig, clock, {});
  guard.watch_by_hand(after(0.1), false);
  guard.cycle_begins(at(0.0));
  guard.cycle_done(at(0.01));
  guard.look(at(0.1));
  EXPECT_FALSE(guard.stalled()) << "overdue by less than the patience";
  EXPECT_EQ(guard.overdue(), after(0.09));
  guard.look(at(0.12));
  EXPECT_TRUE(guard.stalled());
  EXPECT_EQ(guard.lasted(), after(0.11));
  EXPECT_EQ(rig.holds, 1);
  guard.look(at(0.2));
  EXPECT_EQ(rig.holds, 1) << "it is asked once";
  Measurement sensed = Measurement::zero(1);
  EXPECT_EQ(guard.read(at(0.2), sensed), AdapterStatus::kTripped);
  EXPECT_EQ(guard.write(ActuatorVector::Ones(1)), AdapterStatus::kTripped);
  EXPECT_EQ(rig.writes, 0);
  EXPECT_NE(guard.diagnostic_message().find("did not run for 110 ms"), std::string::npos)
      << guard.diagnostic_message();
  guard.cycle_done(TimePoint::max());
  guard.clear();
  guard.look(at(100.0));
  EXPECT_FALSE(guard.stalled()) << "no cycle is due";
  EXPECT_EQ(guard.read(at(0.2), sensed), AdapterStatus::kOk);
}

TEST(StallGuard, ForgivesASimulatedRigWhoseProcessWasPaused) {
  for (const bool simulated : {false, true}) {
    ErringRig rig;
    timing::VirtualClock clock;
    StallGuard guard(rig, clock, {});
    guard.watch_by_hand(after(0.1), simulated);
    guard.look(at(0.0));
    guard.cycle_begins(at(0.0));
    guard.cycle_done(at(0.01));
    guard.look(at(20.0));  // no thread ran
    EXPECT_EQ(guard.stalled(), !simulated);
    if (!simulated) continue;
    for (int n = 0; n < 10; ++n) guard.look(at(20.0 + 0.02 * n));
    EXPECT_TRUE(guard.stalled()) << "it does not go on either";
  }
}

/// The control thread, in the hands of the test.
class HandExecutor final : public LoopExecutor {
 public:
  void begin(TickedLoop& loop) override { loop_ = &loop; }
  TimePoint tick(TimePoint now) noexcept override { return now; }
  using LoopExecutor::end;
  bool end(Duration /*at_most*/) noexcept override {
    loop_ = nullptr;
    return true;
  }
  void cycle(TimePoint now) {
    if (loop_ != nullptr) loop_->tick(now);
  }

 private:
  TickedLoop* loop_ = nullptr;
};

/// A pseudo-dynamic site on the wall clock, whose integrator is a script.
struct Site {
  explicit Site(bool checks = false, Recorder* keeps = nullptr,
                Duration patience = kPatience,
                std::unique_ptr<LoopExecutor> executor = nullptr, bool real = true)
      : recorder(keeps != nullptr ? *keeps : own_recorder) {
    rig.real = real;
    SiteSettings settings;
    settings.control_chain = &composition::control_chain_factory();
    if (checks) settings.start_checks.polarity_motion = {1e-3};
    settings.name = "west";
    settings.software = "0.2";
    settings.loading_frame =
        std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1));
    settings.limits = {{.displacement = 0.05, .rate = 0.03, .force = 1e9}};
    settings.shares_clock = true;
    settings.watch.stall = patience;
    settings.watch.overrun = std::chrono::hours(1);  // of time nothing else is asked here
    ControlThreadSettings thread;
    thread.priority = 0;
    settings.loop_executor = executor != nullptr
                                 ? std::move(executor)
                                 : std::make_unique<ControlThread>(thread, clock);
    node = std::make_unique<SiteNode>(std::move(settings), rig, transport,
                                      SiteNode::Records{recorder.recording()}, clock);
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
  }
  /// Ticks until it is so. @returns whether it came to be
  bool until(const std::function<bool()>& so) {
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (!so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      node->tick(clock.now());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }
  void gets(const SessionMessage& message) {
    transport.arrives(0, message);
    node->tick(clock.now());
  }
  void agree() {
    gets(Welcome{kProtocolVersion, "0.1"});
    gets(configure);
    until([&] { return agreed(); });  // the rig gets ready on a separate thread
  }
  void arm() {
    gets(Arm{kSession, session::contract_hash(transport.last<Configured>().contract),
             "ada@lab"});
  }
  void start() {
    agree();
    arm();
    gets(Start{kSession, clock.now()});
    until([&] { return node->state() == kRunning; });  // the control thread reads
  }
  bool agreed() const {
    return std::any_of(
        transport.sessions.begin(), transport.sessions.end(),
        [](const auto& said) { return std::holds_alternative<Configured>(said.second); });
  }
  void step(std::int64_t number, double target) {
    StepCommand command;
    command.session = kSession;
    command.step = number;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    transport.arrives(0, command);
  }
  bool answered(std::int64_t number) {
    return until([&] { return node->last_step() >= number; });
  }
  /// As the operator's channel does: waits for an outcome that comes later.
  std::string clear(const std::string& drive = {}) {
    const std::string refusal = node->clear_from("ada@lab", drive);
    if (!refusal.empty() || !node->command_under_way()) return refusal;
    std::optional<std::string> outcome;
    until([&] { return (outcome = node->take_outcome()).has_value(); });
    return outcome.value_or("no outcome");
  }
  Heartbeat beat() const { return transport.last<Heartbeat>(); }

  ErringRig rig;
  testing::ScriptedTransport transport;
  testing::FakeRecorder own_recorder;
  Recorder& recorder;
  timing::MonotonicClock clock;
  std::unique_ptr<SiteNode> node;
  Configure configure;
};

/// The rig is in there, everybody else is told so, and nothing moves before or after.
void expect_told_while_inside(Site& site, int holds) {
  ASSERT_TRUE(site.until([&] { return site.node->state() == kFault; }));
  EXPECT_TRUE(site.rig.inside) << "the rig has not come back";
  EXPECT_GT(site.rig.holds, holds) << "another thread has asked it to hold";
  const Halt halt = site.transport.last<Halt>();
  EXPECT_EQ(halt.fault.kind, FaultKind::kStalled);
  EXPECT_NE(halt.reason.find("of the rig did not come back"), std::string::npos)
      << halt.reason;
  const std::size_t said = site.transport.sessions.size();
  ASSERT_TRUE(site.until([&] {
    site.gets(Heartbeat{kSession});
    return site.transport.sessions.size() > said + 2;
  })) << "the communication goes on";
  EXPECT_EQ(site.beat().health.state, "FAULT");
  EXPECT_EQ(site.beat().health.rig, "asked to hold") << "nothing confirms it";
  EXPECT_EQ(site.node->status().state, "FAULT");
  EXPECT_NE(site.clear(), "") << "nobody knows what it still does";
}

/// It comes back, and a person clears the fault.
void come_back(Site& site, std::atomic<bool>& hangs) {
  const int writes = site.rig.writes;
  const double drive = site.rig.drive;
  hangs = false;
  ASSERT_TRUE(site.until([&] { return !site.rig.inside && !site.node->rig_hangs(); }));
  site.until([n = 0]() mutable { return ++n > 50; });
  EXPECT_EQ(site.rig.writes, writes) << "it went on";
  EXPECT_EQ(site.rig.drive, drive);
  EXPECT_TRUE(site.rig.held_last);
  EXPECT_EQ(site.clear(), "");
}

class StalledChecks : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(In, StalledChecks, ::testing::Values(false, true),
                         [](const auto& in) { return in.param ? "Write" : "Read"; });

TEST_P(StalledChecks, AreAFaultThatIsToldWhileTheRigHangs) {
  Site site(/*checks=*/true);
  site.agree();
  site.arm();
  ASSERT_TRUE(site.until([&] { return site.rig.drive > 1e-5; })) << "it moves for a check";
  EXPECT_EQ(site.node->state(), kConfigured);
  const int holds = site.rig.holds;
  std::atomic<bool>& hangs = GetParam() ? site.rig.hangs_in_write : site.rig.hangs_in_read;
  hangs = true;
  expect_told_while_inside(site, holds);
  come_back(site, hangs);
  EXPECT_EQ(site.transport.sent<Armed>(0), 0);
}

TEST_P(StalledChecks, EndWithTheirTestWhereTheRigDoesNotComeBack) {
  Site site(/*checks=*/true);
  site.agree();
  site.arm();
  ASSERT_TRUE(site.until([&] { return site.rig.writes > 3; }));
  std::atomic<bool>& hangs = GetParam() ? site.rig.hangs_in_write : site.rig.hangs_in_read;
  hangs = true;
  ASSERT_TRUE(site.until([&] { return site.node->state() == kFault; }));
  site.gets(Stop{kSession, "enough"});
  ASSERT_TRUE(site.until([&] { return site.transport.sent<Stopped>(0) > 0; }));
  EXPECT_TRUE(site.node->rig_hangs());
  Configure next = site.configure;
  next.session = SessionId{7};
  site.gets(next);
  EXPECT_NE(site.transport.last<Rejection>().reason.find("FAULT"), std::string::npos);
  hangs = false;
  ASSERT_TRUE(site.until([&] { return site.clear().empty(); }));
  site.transport.sessions.clear();
  site.gets(next);
  EXPECT_TRUE(site.until([&] { return site.agreed(); })) << "the next test is agreed to";
}

TEST(StalledReadings, AreAFaultThatIsToldAndMoveNothingWhenItIsCleared) {
  Site site;
  site.agree();
  site.rig.drive = 0.01;  // moving home would take a while
  const int holds = site.rig.holds;
  site.rig.hangs_in_read = true;
  expect_told_while_inside(site, holds);
  come_back(site, site.rig.hangs_in_read);
  ASSERT_EQ(site.node->state(), kHolding);
  const std::string contract =
      session::contract_hash(site.transport.last<Configured>().contract);
  site.gets(Resume{kSession, 0, site.clock.now(), contract, "ada@lab"});
  EXPECT_EQ(site.node->state(), kHolding);
  EXPECT_NE(site.transport.last<Rejection>().reason.find("before it was armed"),
            std::string::npos);
  site.gets(Stop{kSession, "enough", "ada@lab"});
  ASSERT_TRUE(site.until([&] { return site.transport.sent<Stopped>(0) > 0; }));
  EXPECT_EQ(site.rig.writes, 0) << "nobody has armed it";
  EXPECT_EQ(site.rig.drive, 0.01);
  site.configure.session = SessionId{7};
  site.transport.sessions.clear();
  site.agree();
  EXPECT_TRUE(site.agreed()) << "the next test is agreed to";
}

TEST(StalledOpening, IsAFaultThatIsToldWhileTheRigHangs) {
  Site site;
  site.agree();
  site.arm();
  ASSERT_TRUE(site.until([&] { return site.transport.sent<Armed>(0) > 0; }));
  site.rig.hangs_in_read = true;
  const int holds = site.rig.holds;
  site.gets(Start{kSession, site.clock.now()});
  expect_told_while_inside(site, holds);
  come_back(site, site.rig.hangs_in_read);
  EXPECT_EQ(site.transport.responses.size(), 0U) << "there was no opening read";
}

TEST(StalledRestart, IsAFaultThatIsToldWhileTheRigHangs) {
  testing::TemporaryFolder folder;
  const auto recorder = [&folder] {
    return std::make_unique<journal::JournalRecorder>(
        journal::JournalRecorder::Settings{.folder = folder.path(),
                                           .name = "",
                                           .node = "west",
                                           .ring_rows = 1 << 14,
                                           .max_pages = 0,
                                           .facts = {}});
  };
  {
    const auto first = recorder();
    Site site(false, first.get());
    site.start();
    ASSERT_EQ(site.node->state(), kRunning);
    site.node.reset();
  }
  const auto second = recorder();
  Site site(false, second.get());
  site.rig.hangs_in_read = true;
  site.configure.resume = true;
  const int holds = site.rig.holds;
  site.gets(Welcome{kProtocolVersion, "0.1"});
  site.gets(site.configure);
  expect_told_while_inside(site, holds);
  come_back(site, site.rig.hangs_in_read);
  EXPECT_FALSE(site.agreed()) << "nothing of the session is taken up before";
  site.agree();
  ASSERT_TRUE(site.agreed()) << site.node->reason();
  EXPECT_EQ(site.node->state(), kHolding);
}

/// A person's hold while the rig gets ready for it is of the test: on its record, and told
/// again when the site agrees.
TEST(StalledRestart, KeepsAPersonsHoldWhileTheRigGetsReady) {
  testing::TemporaryFolder folder;
  const auto recorder = [&folder] {
    return std::make_unique<journal::JournalRecorder>(
        journal::JournalRecorder::Settings{.folder = folder.path(),
                                           .name = "",
                                           .node = "west",
                                           .ring_rows = 1 << 14,
                                           .max_pages = 0,
                                           .facts = {}});
  };
  {
    const auto first = recorder();
    Site site(false, first.get());
    site.start();
    site.step(0, 2e-3);
    ASSERT_TRUE(site.until([&] { return site.node->last_step() == 0; }));
    site.node.reset();
  }
  for (int life = 0; life < 2; ++life) {  // this process dies, too
    const auto again = recorder();
    Site site(false, again.get());
    site.rig.moved_to(2e-3);  // where the process before left it
    site.configure.resume = true;
    site.gets(Welcome{kProtocolVersion, "0.1"});
    if (life == 0) {
      site.rig.hangs_in_read = true;
      site.gets(site.configure);
      ASSERT_FALSE(site.agreed());
      EXPECT_EQ(site.node->hold("bob@lab", "a hand in the rig"), "");
      ASSERT_EQ(site.transport.sent<Halt>(0), 1);
      EXPECT_NE(site.transport.last<Halt>().hold, 0);
      EXPECT_NE(site.node->status().reason.find("held by bob@lab"), std::string::npos);
      site.rig.hangs_in_read = false;
    }
    site.agree();
    ASSERT_TRUE(site.agreed()) << site.node->reason();
    EXPECT_EQ(site.transport.last<Halt>().by, "bob@lab");
    EXPECT_NE(site.node->reason().find("a hand in the rig"), std::string::npos)
        << site.node->reason();
    const Resume resume{kSession, 1, {}, {}, "ada@lab"};
    site.gets(resume);
    site.gets(resume);
    EXPECT_EQ(site.node->state(), kHolding);
    site.node.reset();
  }
}

/// A test that runs, and whose control thread is in the hands of the test.
struct HandDriven {
  HandDriven() {
    auto executor = std::make_unique<HandExecutor>();
    hand = executor.get();
    site = std::make_unique<Site>(false, nullptr, kPatience, std::move(executor));
    site->agree();
    site->arm();
    site->gets(Start{kSession, site->clock.now()});
    cycle();
    site->node->tick(site->clock.now());
  }
  void cycle() { hand->cycle(site->clock.now()); }
  /// The two words lie there when the node comes to hear them: its host was paused.
  void holds_and_resumes() {
    site->transport.arrives(0, Halt{kSession, "integrator", {}, 0, "held by ada@lab", {}});
    Resume resume{kSession, 0, {}, {}, "ada@lab"};
    resume.contract_hash =
        session::contract_hash(site->transport.last<Configured>().contract);
    site->gets(resume);
  }
  void expect_refused_in_fault(const std::string& why) const {
    EXPECT_EQ(site->node->state(), kFault);
    EXPECT_NE(site->node->reason().find(why), std::string::npos) << site->node->reason();
    EXPECT_EQ(site->transport.sent<Resumed>(0), 0);
    EXPECT_NE(site->transport.last<Rejection>().reason.find("FAULT"), std::string::npos)
        << site->transport.last<Rejection>().reason;
    for (const AuditEntry& entry : site->own_recorder.audits)
      EXPECT_NE(entry.what, "resumed") << entry.text;
    site->node->clear_from("ada@lab", {});
    EXPECT_EQ(site->own_recorder.audits.back().what, "cleared");
    EXPECT_NE(site->own_recorder.audits.back().text.find(why), std::string::npos)
        << site->own_recorder.audits.back().text;
  }

  HandExecutor* hand = nullptr;
  std::unique_ptr<Site> site;
};

TEST(ResumeInFault, IsRefusedWhereTheLoopHasMetAFaultThatTheNodeHasNotHeardOf) {
  HandDriven lab;
  ASSERT_EQ(lab.site->node->state(), kRunning) << lab.site->node->reason();
  lab.site->rig.reports = true;
  lab.site->rig.stopped = true;
  for (int n = 0; n < 1000 && lab.site->rig.holds == 0; ++n) {
    std::this_thread::yield();
    lab.cycle();
  }
  ASSERT_GT(lab.site->rig.holds, 0) << "the loop has not met it";
  lab.holds_and_resumes();
  lab.expect_refused_in_fault("own protection acted");
}

TEST(ResumeInFault, IsRefusedWhereTheControlThreadDidNotRun) {
  HandDriven lab;
  ASSERT_EQ(lab.site->node->state(), kRunning) << lab.site->node->reason();
  lab.cycle();
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (lab.site->rig.holds == 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  ASSERT_GT(lab.site->rig.holds, 0) << "the watching thread has not found it";
  lab.holds_and_resumes();
  lab.expect_refused_in_fault("did not run");
}

TEST(StallInFault, IsAskedToHoldAgainWhereAReadHangs) {
  Site site;
  site.rig.reports = true;
  site.start();
  site.step(0, 1e-3);
  ASSERT_TRUE(site.answered(0));
  site.rig.stopped = true;
  ASSERT_TRUE(site.until([&] { return site.node->state() == kFault; }));
  site.rig.stopped = false;
  const int holds = site.rig.holds;
  site.rig.hangs_in_read = true;
  ASSERT_TRUE(site.until([&] { return site.rig.inside.load(); })) << "nobody reads it";
  ASSERT_TRUE(site.until([&] { return site.rig.holds > holds; }));
  EXPECT_NE(site.clear().find("has not come back"), std::string::npos);
  ASSERT_TRUE(site.until([&] {
    site.gets(Heartbeat{kSession});
    return site.beat().health.rig == "asked to hold" && site.beat().health.mean.empty();
  })) << "what was read before is old";
  come_back(site, site.rig.hangs_in_read);
  EXPECT_EQ(site.node->state(), kHolding) << site.node->reason();
}

class StalledLoop : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(In, StalledLoop, ::testing::Values(false, true),
                         [](const auto& in) { return in.param ? "Write" : "Read"; });

TEST_P(StalledLoop, IsAFaultInWhichTheRigWasAskedToHold) {
  Site site;
  site.start();
  site.step(0, 1e-3);
  ASSERT_TRUE(site.answered(0));
  const int holds = site.rig.holds;
  std::atomic<bool>& hangs = GetParam() ? site.rig.hangs_in_write : site.rig.hangs_in_read;
  hangs = true;
  while (!site.rig.inside) site.node->tick(site.clock.now());
  const double drive = site.rig.drive;
  site.step(1, 2e-3);
  ASSERT_TRUE(site.until([&] { return site.node->state() == kFault; }));
  EXPECT_TRUE(site.rig.inside) << "the rig has not come back";
  EXPECT_GT(site.rig.holds, holds) << "another thread has asked it to hold";
  const Halt halt = site.transport.last<Halt>();
  EXPECT_EQ(halt.fault.kind, FaultKind::kStalled);
  const std::string words = GetParam() ? "write() of the rig did not come back"
                                       : "read() of the rig did not come";
  EXPECT_NE(halt.reason.find(words), std::string::npos) << halt.reason;

  const std::size_t said = site.transport.sessions.size();
  ASSERT_TRUE(site.until([&] { return site.transport.sessions.size() > said + 2; }))
      << "the communication goes on";
  EXPECT_EQ(site.beat().health.state, "FAULT");
  EXPECT_EQ(site.beat().health.rig, "asked to hold") << "nothing confirms it";
  EXPECT_GE(site.beat().health.overdue, kPatience);
  EXPECT_EQ(site.node->status().rig, "asked to hold");
  EXPECT_NE(site.clear(), "") << "nobody knows what it still does";
  EXPECT_TRUE(site.node->rig_hangs());

  const int writes = site.rig.writes;
  hangs = false;
  ASSERT_TRUE(site.until([&] { return !site.rig.inside && !site.node->rig_hangs(); }));
  site.until([n = 0]() mutable { return ++n > 50; });
  EXPECT_EQ(site.rig.writes, writes) << "a write that came back late moved something";
  EXPECT_EQ(site.rig.drive, drive);
  EXPECT_TRUE(site.rig.held_last);
  EXPECT_NE(site.clear().find("nobody knows which drive"), std::string::npos)
      << "it trusts an order that may have been lost in a call that hung";
  ASSERT_EQ(site.clear(std::to_string(1e3 * drive) + " mm"), "");
  ASSERT_TRUE(site.until([&] { return site.node->status().rig == "holds"; }));
  site.node->tick(site.clock.now());
  EXPECT_EQ(site.beat().health.state, "HOLDING") << "told at once, by nobody's question";
  EXPECT_EQ(site.node->state(), kHolding);
}

TEST_P(StalledLoop, IsAskedToHoldByAPersonAndDoesNotSayThatItDoes) {
  Site site;
  site.start();
  site.step(0, 1e-3);
  ASSERT_TRUE(site.answered(0));
  EXPECT_EQ(site.node->hold("ada@lab", ""), "");
  EXPECT_EQ(site.node->status().rig, "asked to hold") << "the loop has not taken the word";
  ASSERT_TRUE(site.until([&] { return site.node->status().rig == "holds"; }));
  EXPECT_TRUE(site.rig.held_last);
  std::atomic<bool>& hangs = GetParam() ? site.rig.hangs_in_write : site.rig.hangs_in_read;
  hangs = true;
  if (!GetParam()) {
    ASSERT_TRUE(site.until([&] { return site.node->state() == kFault; }))
        << "real equipment is read on while it is held";
    EXPECT_EQ(site.node->status().rig, "asked to hold");
  }
  hangs = false;
}

/// In FAULT, with a rig that stands still and whose next read does not come back.
void trip_before_a_hanging_read(Site& site) {
  site.rig.reports = true;
  site.start();
  site.step(0, 1e-3);
  ASSERT_TRUE(site.answered(0));
  site.rig.stopped = true;
  ASSERT_TRUE(site.until([&] { return site.node->state() == kFault; }));
  site.rig.stopped = false;
  site.rig.hangs_in_read = true;
}

TEST(StalledClear, IsAnsweredWithTheRigThatDoesNotComeBack) {
  Site site;
  trip_before_a_hanging_read(site);
  const std::string why = site.clear();
  EXPECT_TRUE(site.rig.inside);
  EXPECT_NE(why.find("read() of the rig did not come back"), std::string::npos) << why;
  EXPECT_EQ(site.node->state(), kFault);
  come_back(site, site.rig.hangs_in_read);
  EXPECT_EQ(site.node->state(), kHolding);
}

TEST(StalledClear, LetsTheNodeHearAndSpeakAndNamesTheRigItWaitsFor) {
  Site site(false, nullptr, /*patience=*/std::chrono::hours(1));
  trip_before_a_hanging_read(site);
  ASSERT_EQ(site.node->clear("ada@lab"), "");
  ASSERT_TRUE(site.node->command_under_way()) << "it waited on the node's thread";
  EXPECT_EQ(site.node->take_outcome(), std::nullopt);
  const std::size_t said = site.transport.sessions.size();
  ASSERT_TRUE(site.until([&] { return site.transport.sessions.size() > said + 2; }))
      << "the communication goes on";
  EXPECT_TRUE(site.rig.inside);
  EXPECT_EQ(site.beat().health.state, "FAULT") << "asked is not confirmed";
  EXPECT_EQ(site.node->status().waits.front().whom, "its rig");
  EXPECT_NE(site.node->clear("ada@lab").find("is being cleared"), std::string::npos);
  std::optional<std::string> outcome;
  ASSERT_TRUE(
      site.until([&] { return (outcome = site.node->take_outcome()).has_value(); }));
  EXPECT_NE(outcome->find("the rig of site west"), std::string::npos) << *outcome;
  EXPECT_FALSE(site.node->command_under_way());
  EXPECT_EQ(site.node->state(), kFault);
  site.rig.hangs_in_read = false;
  EXPECT_TRUE(site.until([&] { return site.node->state() == kHolding; }))
      << "the read came after all";
}

TEST_P(StalledLoop, EndsInBoundedTimeWhereTheRigDoesNotComeBack) {
  auto site = std::make_unique<Site>();
  site->start();
  site->step(0, 1e-3);
  ASSERT_TRUE(site->answered(0));
  std::atomic<bool>& hangs =
      GetParam() ? site->rig.hangs_in_write : site->rig.hangs_in_read;
  hangs = true;
  while (!site->rig.inside) site->node->tick(site->clock.now());
  ASSERT_TRUE(site->until([&] { return site->node->state() == kFault; }));
  site->gets(Stop{kSession, "enough"});
  ASSERT_TRUE(site->until([&] { return site->transport.sent<Stopped>(0) > 0; }))
      << "the session ends, though the rig hangs";
  EXPECT_TRUE(site->node->rig_hangs());
  const auto begun = std::chrono::steady_clock::now();
  site->node.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
  EXPECT_TRUE(site->rig.inside);
  hangs = false;
  while (site->rig.inside) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // The thread that came back uses what was kept for it, and goes; nobody is told when.
  static auto* const kept = new std::vector<std::unique_ptr<Site>>;
  kept->push_back(std::move(site));
}

/// Its answer was due long ago, and does not come before the test continues. The loop of a
/// simulated rig does not tick meanwhile.
TEST(HeldInAStep, DoesNotKeepTheNodesThreadAwake) {
  Site site(/*checks=*/false, nullptr, kPatience, nullptr, /*real=*/false);
  site.start();
  site.step(0, 2e-3);  // 0.1 s
  ASSERT_TRUE(site.until([&] { return site.rig.writes > 5; }));
  EXPECT_EQ(site.node->hold("ada@lab", "a crack"), "");
  const TimePoint due = site.clock.now() + after(0.3);
  ASSERT_TRUE(site.until([&] { return site.clock.now() > due; }));
  ASSERT_LT(site.node->last_step(), 0) << "it held in the middle of the step";
  EXPECT_TRUE(site.until([&] {
    const TimePoint now = site.clock.now();
    return site.node->tick(now) - now >= std::chrono::milliseconds(1);
  }));
}

}  // namespace
}  // namespace trestle::site_node::stalled_loop_test
