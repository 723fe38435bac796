#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/timing/virtual_clock.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/paced_loop.h"
#include "site-servers/trajectory/continuous_motion.h"
#include "site-servers/trajectory/ramp_motion.h"
#include "site-servers/trajectory/step_interpolation.h"

namespace trestle::testing {

constexpr Duration after(double seconds) {
  return Duration{static_cast<std::int64_t>(seconds * 1e9 + 0.5)};
}
constexpr TimePoint at(double seconds) {
  return TimePoint{after(seconds)};
}

/// An ideal rig of one actuator that counts, and may drift with every read.
class PacedRig final : public SiteAdapter {
 public:
  RigDescription description() const override { return {}; }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint now, Sensed& sensed) noexcept override {
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

/// A paced loop of one DOF in the hands of a test, which is bus and driver alike.
class PacedBench {
 public:
  static constexpr double kTick = 1e-3;
  static constexpr int kTicks = 4;
  static constexpr double kStep = kTick * kTicks;

  static PacedLoopSettings settings(Mode mode) {
    return {.mode = mode,
            .tick = kTick,
            .ticks_per_step = kTicks,
            .latency_steps = mode == Mode::kRealTime ? 1 : 0,
            .steps = 1000,
            .watchdog = after(5.0),
            .overrun = after(kTick)};
  }

  explicit PacedBench(const PacedLoopSettings& settings, const ActuatorLimits& limits = {},
                      double rate_limit = 1e9)
      : layout_{{.name = "floor.x",
                 .displacement_limit = 0.1,
                 .rate_limit = rate_limit,
                 .acceleration_limit = 1e9}},
        loop({.layout = layout_,
              .time_step = settings.tick * settings.ticks_per_step,
              .ticks_per_step = settings.ticks_per_step,
              .limits = {limits},
              .ramp_duration = 0.02},
             frame_, std::make_unique<NoCompensator>(), std::make_unique<PassThrough>(),
             rig, nullptr, motion(settings, layout_)),
        paced(settings, loop, clock),
        settings_(settings) {
    heard.reserve(20000);
  }

  /// The opening read, and the first tick at `zero`.
  void start(TimePoint zero = TimePoint{}) {
    loop.sense(TimePoint{});
    paced.heard(clock.now());
    LoopOrder order;
    order.kind = LoopOrder::Kind::kStart;
    order.at = zero;
    paced.order(order);
  }
  void order(LoopOrder::Kind kind, TimePoint when = TimePoint{}) {
    LoopOrder order;
    order.kind = kind;
    order.at = when;
    paced.order(order);
  }
  void step(std::int64_t number, double target, double velocity = 0.0,
            TimePoint due = TimePoint{}) {
    LoopOrder order;
    order.kind = LoopOrder::Kind::kStep;
    order.command.step = number;
    order.command.target = Target::zero(1);
    order.command.target.displacement[0] = target;
    order.command.target.velocity[0] = velocity;
    order.received = clock.now();
    order.at = due;
    paced.order(order);
  }
  /// Ticks whenever it asks for it, each `late`, up to this time.
  void run_until(TimePoint until, Duration late = Duration::zero()) {
    for (;;) {
      const TimePoint due = paced.tick(clock.now());
      listen();
      if (due <= clock.now()) continue;
      if (due > until - late) return clock.pass(until);
      clock.pass(due + late);
    }
  }
  /// Nobody ticks meanwhile.
  void stall(TimePoint until) { clock.pass(until); }
  void listen() {
    for (; const LoopNews* news = paced.news(); paced.pop_news()) heard.push_back(*news);
  }

  std::vector<LoopNews> all(LoopNews::Kind kind) const {
    std::vector<LoopNews> found;
    for (const LoopNews& news : heard)
      if (news.kind == kind) found.push_back(news);
    return found;
  }
  std::vector<std::int64_t> steps_of(LoopNews::Kind kind) const {
    std::vector<std::int64_t> steps;
    for (const LoopNews& news : all(kind)) steps.push_back(news.step);
    return steps;
  }
  Fault fault() const {
    const std::vector<LoopNews> faults = all(LoopNews::Kind::kFault);
    return faults.empty() ? Fault{} : faults.front().fault;
  }

 private:
  static std::unique_ptr<StepMotion> motion(const PacedLoopSettings& settings,
                                            const InterfaceLayout& layout) {
    if (settings.mode == Mode::kPseudoDynamic)
      return std::make_unique<RampMotion>(
          layout,
          RampSettings{
              .tick = settings.tick, .rate = 0.1, .settle = 0.01, .average = 0.005});
    if (settings.mode == Mode::kContinuous)
      return std::make_unique<ContinuousMotion>(
          layout, ContinuousSettings{.tick = settings.tick,
                                     .ticks_per_step = settings.ticks_per_step});
    return std::make_unique<StepInterpolation>(
        layout, settings.tick * settings.ticks_per_step, settings.ticks_per_step);
  }

  InterfaceLayout layout_;
  MatrixFrame frame_ = MatrixFrame::identity(1);

 public:
  PacedRig rig;
  ControlLoop loop;
  VirtualClock clock;
  PacedLoop paced;
  std::vector<LoopNews> heard;

 private:
  PacedLoopSettings settings_;
};

}  // namespace trestle::testing
