#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "composition/sites/control_chain_factory.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::rig_service_test {

using testing::after;
using Action = RigRequest::Action;
using enum session::SessionState;

inline const SessionId kSession{1, 2, 3};
inline constexpr const char* kAda = "ada@lab";
inline constexpr double kTick = 1.0 / 128;

/// Two actuators on springs, whose servo loops settle a little off their drives.
class Rig final : public SiteAdapter {
 public:
  /// @param second  kind of its second actuator, as its driver describes it
  Rig(bool has_watchdog, DofKind second) : watchdog(has_watchdog), kind(second) {}
  RigDescription description() const override {
    RigDescription description;
    description.actuators = {{"1", DofKind::kTranslation}, {"2", kind}};
    description.real_equipment = real;
    description.hardware_watchdog = watchdog;
    description.extra = {{"oil", "bar"}};
    return description;
  }
  void prepare(const RigRun& run) override {
    if (!ready.empty()) throw std::runtime_error(ready);
    tick = run.tick;
    ++prepared;
  }
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement = gain * drive + zero;
    sensed.force = stiffness * drive + load;
    return status;
  }
  AdapterStatus write(const ActuatorVector& to) noexcept override {
    fastest = (to - drive).cwiseAbs().cwiseMax(fastest);
    largest = to.cwiseAbs().cwiseMax(largest);
    drive = to;
    ++writes;
    if (last_word != nullptr) *last_word = "drive";
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {
    ++holds;
    if (last_word != nullptr) *last_word = "hold";
  }
  bool release() override {
    released += offers_release ? 1 : 0;
    return offers_release;
  }
  std::span<const double> auxiliary_channels() const noexcept override { return oil; }
  std::span<const double> drive_in_force() const noexcept override {
    return {drive.data(), reports ? 2U : 0U};
  }
  std::string diagnostic_message() const override {
    return status == AdapterStatus::kOk ? "" : "the emergency stop is open";
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  bool real = true;
  bool watchdog;
  DofKind kind;
  bool reports = true;
  bool offers_release = true;
  std::string ready;
  double gain = 1.0;
  double stiffness = 1e5;
  ActuatorVector zero = ActuatorVector::Zero(2);
  ActuatorVector load = ActuatorVector::Zero(2);
  ActuatorVector drive = ActuatorVector::Zero(2);
  ActuatorVector fastest = ActuatorVector::Zero(2);  ///< way of one tick
  ActuatorVector largest = ActuatorVector::Zero(2);
  AdapterStatus status = AdapterStatus::kOk;
  std::vector<double> oil{207.0};
  double tick = 0.0;
  int prepared = 0;
  int writes = 0;
  int holds = 0;
  int released = 0;
  std::string* last_word = nullptr;  ///< outlives the rig; null: not wanted
};

/// Keeps everything in memory.
class Diary final : public RigDiary {
 public:
  struct Kept {
    std::vector<AuditEntry> acts;
    std::vector<AuditEntry> handed_over;
    std::optional<RigZero> zero;
    RigTare tare{{}, "the-place/tare"};
    int motions = 0;
    std::string broken;
    std::string tare_broken;
  };
  explicit Diary(Kept& kept) : kept_(kept) {}
  void keep(const AuditEntry& act) override {
    if (!kept_.broken.empty()) throw std::runtime_error(kept_.broken);
    kept_.acts.push_back(act);
  }
  void begin_motion() override { ++kept_.motions; }
  std::vector<AuditEntry> acts() const override { return kept_.acts; }
  void hand_over() override { std::swap(kept_.handed_over, kept_.acts); }
  std::optional<RigZero> zero() const override { return kept_.zero; }
  void keep_zero(const std::string& by, const std::vector<RigReading>& readings) override {
    kept_.zero = RigZero{"2026-11-27T09:12:03Z by " + by, readings};
  }
  RigTare tare() const override { return kept_.tare; }
  void keep_tare(const std::string& by, const std::vector<TareOffset>& offsets) override {
    if (!kept_.tare_broken.empty()) throw std::runtime_error(kept_.tare_broken);
    kept_.tare.offsets = offsets;
    for (TareOffset& each : kept_.tare.offsets)
      if (each.at.empty()) each.at = "2026-11-27T09:13:00Z by " + by;
  }

 private:
  Kept& kept_;
};

/// What is special about a site.
struct Special {
  std::string fault{};  ///< that was latched before
  bool watchdog = true;
  double tracking_error = 0.01;
  bool ramps_home = false;
  Diary::Kept kept{};  ///< by a process before
  DofKind second = DofKind::kRotation;
};

inline SiteSettings site_settings(Diary::Kept& kept, const Special& special) {
  SiteSettings settings;
  settings.control_chain = &composition::control_chain_factory();
  settings.name = "west";
  settings.software = "0.2";
  settings.loading_frame =
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(2));
  settings.limits = RigLimits(2);
  for (ActuatorLimits& limit : settings.limits) {
    limit.displacement = 0.06;
    limit.rate = 0.15;
    limit.force = 5e3;
    limit.tracking_error = special.tracking_error;
  }
  settings.limit_place = [](const std::string& field) {
    return "site.yaml:9 " + field;
  };
  settings.shares_clock = true;
  const ActuatorVector ones = ActuatorVector::Ones(2);
  settings.safe_action = {special.ramps_home ? safety::SafeAction::Kind::kRampHome
                                             : safety::SafeAction::Kind::kHold,
                          0.005 * ones, 0.1 * ones, ones, ones};
  settings.earlier.fault = special.fault;
  settings.earlier.diary = std::make_unique<Diary>(kept);
  return settings;
}

/// A site whose integrator is a script, and whose operators are the test.
struct Bench {
  /// @param other  in place of the recorder of this; null: none
  explicit Bench(const Special& special = {}, Recorder* other = nullptr)
      : kept(special.kept),
        rig(special.watchdog, special.second),
        node(site_settings(kept, special), rig, transport,
             {other == nullptr ? recorder.recording() : other->recording()}, clock) {
    configure.session = kSession;
    configure.test = "frame";
    configure.mode = name(ExecutionMode::kPseudoDynamic);
    configure.time_step = 0.01;
    configure.ticks_per_step = 5;
    configure.steps_planned = 1000;
    configure.layout = {
        {.name = "floor.x", .displacement_limit = 0.06},
        {.name = "floor.rz", .kind = DofKind::kRotation, .displacement_limit = 0.06}};
    configure.heartbeat_period = 0.5;
    configure.watchdog = 2.0;
    configure.pace.rate = 0.1;
    configure.pace.average = 0.004;
  }

  void run_until(TimePoint until) {
    for (int n = 0; n < 1'000'000; ++n) {
      const TimePoint due = node.tick(clock.now());
      if (due <= clock.now()) continue;
      if (due > until) return clock.advance_to(until);
      clock.advance_to(due);
    }
    FAIL() << "it never rests";
  }
  void run_for(double seconds) { run_until(clock.now() + after(seconds)); }
  /// The person repeats the command twice a second.
  void hold_down(double seconds, const std::string& by = kAda) {
    for (double done = 0.0; done < seconds; done += 0.5) {
      EXPECT_EQ(node.command_rig(by, {.action = Action::kContinue}), "");
      run_for(0.5);
    }
  }
  void gets(const SessionMessage& message) {
    transport.arrives(0, message);
    run_until(clock.now());
  }
  /// The outcome of a command that follows later, once.
  std::string outcome() {
    const std::optional<std::string> said = node.take_outcome();
    return said ? *said : "(none yet)";
  }
  std::string jog(const std::string& amount, const std::string& rate,
                  const std::string& drive = {}) {
    return node.command_rig(kAda, {.action = Action::kJog,
                                   .actuator = "1",
                                   .amount = amount,
                                   .rate = rate,
                                   .drive = drive});
  }
  RigReport report() const { return node.status().commanded.value_or(RigReport{}); }

  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  Diary::Kept kept;
  Rig rig;
  timing::VirtualClock clock;
  SiteNode node;
  Configure configure;
};

inline const RigReading& reading(const RigReport& report, const std::string& channel) {
  const auto found =
      std::find_if(report.readings.begin(), report.readings.end(),
                   [&](const RigReading& each) { return each.channel == channel; });
  EXPECT_NE(found, report.readings.end()) << channel;
  static const RigReading none;
  return found == report.readings.end() ? none : *found;
}

}  // namespace trestle::site_node::rig_service_test
