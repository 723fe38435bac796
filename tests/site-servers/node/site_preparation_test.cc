// Real equipment that does not get ready: the site's own thread does not wait for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "composition/sites/control_chain_factory.h"
#include "core/session/session_contract.h"
#include "core/timing/monotonic_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle::site_node::site_preparation_test {
namespace {

const SessionId kSession{1, 2, 3};

/// Gets ready when permitted, fails on request, and aborts when hold() is called.
class StuckRig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, true, true, 0.0};
  }
  void prepare(const RigRun& /*run*/) override {
    std::unique_lock lock(busy_);
    ++prepares;
    moved_on_.wait(lock, [this] { return ready || !trouble.empty() || holds > 0; });
    if (!trouble.empty()) throw std::runtime_error(trouble);
    if (!ready) throw std::runtime_error("it was to hold");
  }
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement.setZero(1);
    sensed.force.setZero(1);
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& /*drive*/) noexcept override {
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {
    ++holds;
    moved_on_.notify_all();
  }
  std::vector<std::string> host_refusals() const override {
    return {"SCHED_FIFO with priority 80 is not allowed"};
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  void let(bool to_ready, const std::string& why_not = {}) {
    const std::scoped_lock lock(busy_);
    ready = to_ready;
    trouble = why_not;
    moved_on_.notify_all();
  }

  std::atomic<int> prepares{0};
  std::atomic<int> holds{0};
  bool ready = false;
  std::string trouble;

 private:
  std::mutex busy_;
  std::condition_variable moved_on_;
};

/// The host gives it no thread.
class NoThread final : public LoopExecutor {
 public:
  void begin(TickedLoop& /*loop*/) override { throw std::runtime_error("no thread"); }
  TimePoint tick(TimePoint /*now*/) noexcept override { return TimePoint::max(); }
  using LoopExecutor::end;
  bool end(Duration /*at_most*/) noexcept override { return true; }
};

SiteSettings settings(std::unique_ptr<LoopExecutor> executor) {
  SiteSettings settings;
  settings.control_chain = &composition::control_chain_factory();
  settings.name = "lab";
  settings.software = "0.2";
  settings.loading_frame =
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1));
  settings.limits = RigLimits(1);
  settings.limits[0].displacement = 0.06;
  settings.limits[0].rate = 1.0;
  settings.limits[0].force = 5e3;
  settings.loop_executor = std::move(executor);
  return settings;
}

Configure configuration() {
  Configure configure;
  configure.session = kSession;
  configure.test = "frame";
  configure.mode = name(ExecutionMode::kPseudoDynamic);
  configure.time_step = 0.01;
  configure.ticks_per_step = 5;
  configure.steps_planned = 10;
  configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
  configure.heartbeat_period = 0.5;
  configure.watchdog = 2.0;
  configure.pace.rate = 0.1;
  configure.pace.average = 0.01;
  return configure;
}

struct Bench {
  explicit Bench(
      std::unique_ptr<LoopExecutor> executor = std::make_unique<InlineExecutor>())
      : node(settings(std::move(executor)), rig, transport, {recorder.recording()}, clock) {
    gets(Welcome{.protocol = kProtocolVersion, .software = "0.2"});
  }
  void gets(const SessionMessage& message) {
    transport.arrives(0, message);
    tick();
  }
  void tick() { node.tick(now); }
  /// Ticks until a message of this kind was said, at most ten seconds.
  template <typename Message>
  const Message* said() {
    for (int looks = 0; looks < 10000; ++looks) {
      tick();
      for (const auto& [peer, message] : transport.sessions)
        if (const auto* found = std::get_if<Message>(&message)) return found;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return nullptr;
  }

  StuckRig rig;
  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  timing::MonotonicClock clock;
  TimePoint now{std::chrono::seconds(1)};
  SiteNode node;
};

TEST(SiteThatGetsReady, HearsAndSpeaksMeanwhile) {
  Bench bench;
  bench.gets(configuration());  // would not come back, on the node's thread
  EXPECT_NE(bench.said<Heartbeat>(), nullptr) << "the integrator hears that it is there";
  bench.gets(configuration());
  bench.gets(configuration());
  EXPECT_EQ(bench.node.status().waits.at(0).whom, "its rig");
  bench.rig.let(true);
  EXPECT_NE(bench.said<Configured>(), nullptr);
  EXPECT_EQ(bench.rig.prepares, 1) << "asked again, it is not begun again";
}

TEST(SiteThatGetsReady, SaysWhyItsRigDoesNot) {
  Bench bench;
  bench.gets(configuration());
  bench.rig.let(false, "the pump is off");
  const Rejection* const refusal = bench.said<Rejection>();
  ASSERT_NE(refusal, nullptr);
  EXPECT_NE(refusal->reason.find("the pump is off"), std::string::npos) << refusal->reason;
}

TEST(SiteThatGetsReady, GivesUpWhereTheTestIsEndedAndServesTheNext) {
  Bench bench;
  bench.gets(configuration());
  EXPECT_NE(bench.said<Heartbeat>(), nullptr);
  bench.gets(Stop{kSession, "somebody stopped it"});
  EXPECT_NE(bench.said<Stopped>(), nullptr);
  EXPECT_GT(bench.rig.holds, 0);
  bench.rig.let(true);
  bench.rig.holds = 0;
  Configure next = configuration();
  next.session = {9};
  bool agreed = false;
  for (int looks = 0; looks < 10000 && !agreed; ++looks) {
    bench.gets(next);
    for (const auto& [peer, message] : bench.transport.sessions)
      if (const auto* found = std::get_if<Configured>(&message))
        agreed = agreed || found->session == next.session;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(agreed);
}

TEST(SiteThatGetsReady, GivesUpWhereAPersonAtTheSiteSaysSo) {
  for (const bool stops : {false, true}) {
    Bench bench;
    bench.gets(configuration());
    EXPECT_NE(bench.said<Heartbeat>(), nullptr);
    EXPECT_EQ(stops ? bench.node.stop("ann", "a leak") : bench.node.hold("ann", "a leak"),
              "");
    const Rejection* const refusal = bench.said<Rejection>();
    ASSERT_NE(refusal, nullptr);
    EXPECT_NE(refusal->reason.find("by ann: a leak"), std::string::npos) << refusal->reason;
    EXPECT_GT(bench.rig.holds, 0);
  }
}

TEST(SiteThatGetsReady, RecordsWhatTheHostRefusedToTheRigsDriver) {
  Bench bench;
  bench.rig.let(true);
  bench.gets(configuration());
  const Configured* const agreed = bench.said<Configured>();
  ASSERT_NE(agreed, nullptr);
  bench.gets(Arm{kSession, session::contract_hash(agreed->contract), "ada@lab"});
  EXPECT_NE(bench.said<Armed>(), nullptr);
  const auto& events = bench.recorder.events;
  EXPECT_EQ(std::count(events.begin(), events.end(),
                       "host: driver of the rig: SCHED_FIFO with priority 80 is not "
                       "allowed"),
            1);
}

TEST(SiteThatGetsReady, IsInNoSessionWhereItsControlLoopDoesNotBegin) {
  Bench bench(std::make_unique<NoThread>());
  bench.rig.let(true);
  bench.gets(configuration());
  const Rejection* const refused = bench.said<Rejection>();
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->reason, "no thread");
  EXPECT_FALSE(bench.node.in_session());
  bench.gets(Arm{kSession, "", "ada@lab"});
  EXPECT_EQ(bench.transport.sent<Armed>(0), 0);
}

TEST(SiteThatGetsReady, EndsWhereItsRigNeverDoes) {
  {
    Bench bench;
    bench.gets(configuration());
  }  // comes back: the rig was told to hold
  SUCCEED();
}

}  // namespace
}  // namespace trestle::site_node::site_preparation_test
