#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/timing/virtual_clock.h"
#include "site-servers/compensators/fixed_inverse.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/timed_control_loop.h"

namespace trestle::testing {

constexpr Duration after(double seconds) {
  return Duration{static_cast<std::int64_t>(seconds * 1e9 + 0.5)};
}
constexpr TimePoint at(double seconds) {
  return TimePoint{after(seconds)};
}

/// An ideal rig of one actuator that counts, and may drift with every read.
class CountingRig : public SiteAdapter {
 public:
  RigDescription description() const override { return {}; }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override {
    ++reads;
    read_at = now;
    sensed.displacement.setConstant(1, position + drift * reads);
    sensed.force.setConstant(1, 1e6 * position);
    return status;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    ++writes;
    fastest = std::max(fastest, std::abs(drive[0] - position));
    position = drive[0];
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { ++holds; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  AdapterStatus status = AdapterStatus::kOk;
  double drift = 0.0;
  double position = 0.0;
  double fastest = 0.0;  ///< way of one tick [m]
  int reads = 0;
  int writes = 0;
  int holds = 0;
  TimePoint read_at{};
};

struct TimedBenchSettings : site_node::TimedLoopSettings, site_node::RealTimeSteps {
  ExecutionMode mode = ExecutionMode::kRealTime;
  double lead = 0.0;  ///< of the compensator, by the velocity of the target [s]
  safety::SafeAction action = {};
};

/// A timed loop of one DOF in the hands of a test, which is node and executor alike.
class TimedBench {
 public:
  static constexpr double kTick = 1e-3;
  static constexpr int kTicks = 4;
  static constexpr double kStep = kTick * kTicks;

  static TimedBenchSettings settings(ExecutionMode mode) {
    TimedBenchSettings settings;
    settings.mode = mode;
    settings.tick = kTick;
    settings.ticks_per_step = kTicks;
    settings.latency_steps = mode == ExecutionMode::kRealTime ? 1 : 0;
    settings.steps = 1000;
    settings.watchdog = after(5.0);
    settings.overrun = after(kTick);
    return settings;
  }

  explicit TimedBench(const TimedBenchSettings& settings, const ActuatorLimits& limits = {},
                      double rate_limit = 1e9)
      : layout_{{.name = "floor.x",
                 .displacement_limit = 0.1,
                 .rate_limit = rate_limit,
                 .acceleration_limit = 1e9}},
        steps_(steps(settings, layout_)),
        loop({.layout = layout_,
              .time_step = settings.tick * settings.ticks_per_step,
              .ticks_per_step = settings.ticks_per_step,
              .limits = {limits},
              .ramp_duration = 0.02,
              .safe_action = settings.action},
             frame_,
             {compensator(settings.lead), std::make_unique<controllers::PassThrough>(),
              std::move(steps_.motion)},
             rig, nullptr),
        timed(settings, loop, steps_.make_sequence, clock) {
    heard.reserve(20000);
  }

  /// The initial measurement, and the first tick at `zero`.
  void start(TimePoint zero = TimePoint{}) {
    loop.sense(TimePoint{});
    timed.mailbox().message_received(clock.now());
    order(site_node::LoopCommand::Kind::kStart, zero);
  }
  void order(site_node::LoopCommand::Kind kind, TimePoint when = TimePoint{}) {
    site_node::LoopCommand command;
    command.kind = kind;
    command.at = when;
    timed.mailbox().push_command(command);
  }
  void step(std::int64_t number, double target, double velocity = 0.0,
            TimePoint due = TimePoint{}) {
    StepCommand command;
    command.step = number;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    command.target.velocity[0] = velocity;
    timed.mailbox().push_step(command, {clock.now(), {}, due});
  }
  /// Ticks whenever it asks for it, each `late`, up to this time.
  void run_until(TimePoint until, Duration late = Duration::zero()) {
    for (;;) {
      const TimePoint due = timed.tick(clock.now());
      listen();
      if (due <= clock.now()) continue;
      if (due > until - late) return clock.advance_to(until);
      clock.advance_to(due + late);
    }
  }
  /// No tick comes meanwhile.
  void stall(TimePoint until) { clock.advance_to(until); }
  void listen() {
    site_node::LoopMailbox& mailbox = timed.mailbox();
    for (; const site_node::LoopEvent* event = mailbox.front_event(); mailbox.pop_event())
      heard.push_back(*event);
  }

  std::vector<site_node::LoopEvent> all(site_node::LoopEvent::Kind kind) const {
    std::vector<site_node::LoopEvent> found;
    for (const site_node::LoopEvent& news : heard)
      if (news.kind == kind) found.push_back(news);
    return found;
  }
  std::vector<std::int64_t> steps_of(site_node::LoopEvent::Kind kind) const {
    std::vector<std::int64_t> steps;
    for (const site_node::LoopEvent& news : all(kind)) steps.push_back(news.step);
    return steps;
  }
  Fault fault() const {
    const std::vector<site_node::LoopEvent> faults =
        all(site_node::LoopEvent::Kind::kFault);
    return faults.empty() ? Fault{} : faults.front().fault;
  }

 private:
  static std::unique_ptr<Compensator> compensator(double lead) {
    if (lead == 0.0) return std::make_unique<compensators::NoCompensator>();
    return std::make_unique<compensators::FixedInverse>(
        1, compensators::SeriesCoefficientsPerActuator(
               std::vector<compensators::SeriesCoefficients>{{1.0, lead, 0.0}}));
  }
  static site_node::TimedSteps steps(const TimedBenchSettings& settings,
                                     const InterfaceLayout& layout) {
    if (settings.mode == ExecutionMode::kPseudoDynamic)
      return site_node::ramp_steps(
          layout, {.tick = settings.tick, .rate = 0.1, .settle = 0.01, .average = 0.005});
    if (settings.mode == ExecutionMode::kContinuous)
      return site_node::continuous_steps(
          layout, {.tick = settings.tick, .ticks_per_step = settings.ticks_per_step});
    return site_node::real_time_steps(layout, settings.tick * settings.ticks_per_step,
                                      settings);
  }

  InterfaceLayout layout_;
  kinematics::MatrixFrame frame_ = kinematics::MatrixFrame::identity(1);
  site_node::TimedSteps steps_;

 public:
  CountingRig rig;
  site_node::ControlLoop loop;
  timing::VirtualClock clock;
  site_node::TimedControlLoop timed;
  std::vector<site_node::LoopEvent> heard;
};

}  // namespace trestle::testing
