#include "site-servers/node/rig_service_loop.h"

#include <algorithm>
#include <cmath>

#include "core/types/interlock.h"

namespace trestle::site_node {
namespace {

// At the end of its path the drive is repeated for this time, so that the gate still sees
// whether the rig follows [s].
constexpr double kAtTheEnd = 0.25;
// As in a test: a shorter sleep of the host does not count.
constexpr Duration kNoSleep = std::chrono::milliseconds(50);

Duration duration_of_tick(const RigServiceSettings& settings) noexcept {
  return Duration{std::llround(settings.tick * 1e9)};
}

Eigen::Index values_of(const RigServiceSettings& settings, const RigDescription& rig) {
  return 2 * static_cast<Eigen::Index>(settings.limits.size()) + rig.reactions +
         static_cast<Eigen::Index>(rig.extra.size());
}

}  // namespace

RigServiceLoop::RigServiceLoop(const RigServiceSettings& settings, SiteAdapter& rig,
                               const Clock& clock)
    : settings_(settings),
      clock_(clock),
      rig_(rig, {.actuators = static_cast<int>(settings.limits.size())}),
      gate_(settings.limits, settings.tick),
      action_(settings.safe_action, settings.limits, settings.tick),
      overruns_(settings.overrun > Duration::zero() ? settings.overrun
                                                    : duration_of_tick(settings),
                settings.most_overruns),
      seen_{checks::ReadingStatistics(values_of(settings, rig.description()))},
      slept_(clock.asleep()) {}

RigServiceLoop::RigServiceLoop(const RigServiceSettings& settings, SiteAdapter& rig,
                               const Clock& clock, std::int64_t readings)
    : RigServiceLoop(settings, rig, clock) {
  seen_.wanted = readings;
}

RigServiceLoop::RigServiceLoop(const RigServiceSettings& settings, SiteAdapter& rig,
                               const Clock& clock, const RigMotionTask& task,
                               TimePoint begun)
    : RigServiceLoop(settings, rig, clock) {
  task_ = task;
  gate_.reset(task.path.from());
  if (task.sine)
    seen_.fits.fill(
        {checks::SineFit(task.sine->period()), checks::SineFit(task.sine->period())});
  heard_.at.store(begun.time_since_epoch().count(), std::memory_order_relaxed);
}

void RigServiceLoop::hear(TimePoint now) noexcept {
  heard_.at.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  heard_.repeated.store(true, std::memory_order_relaxed);
}

RigServiceLoop::Axis RigServiceLoop::axis(int actuator) const noexcept {
  const Shown& shown = shown_[static_cast<std::size_t>(actuator)];
  return {shown.drive.load(std::memory_order_relaxed),
          shown.measured.load(std::memory_order_relaxed),
          shown.force.load(std::memory_order_relaxed)};
}

TimePoint RigServiceLoop::tick(TimePoint now) noexcept {
  if (over()) return TimePoint::max();
  if (!next_) next_ = now;
  if (now < *next_) return *next_;
  if (guard_ != nullptr) guard_->cycle_begins(now);
  if (acts_safely())
    step_safe_action();
  else if (task_)
    motion_tick(now);
  else
    read_tick();
  ++ticks_.done;
  // Late ticks are not made up for: the rig would move faster than its path.
  const Duration tick = duration_of_tick(settings_);
  next_ = (now > *next_ + tick ? now : *next_) + tick;
  const bool by_time = task_ && !over();
  if (guard_ != nullptr) guard_->cycle_done(by_time ? *next_ : TimePoint::max());
  return over() ? TimePoint::max() : *next_;
}

TimePoint RigServiceLoop::tick_time() const noexcept {
  return TimePoint{ticks_.done * duration_of_tick(settings_)};
}

/// @returns kAdapter, kInterlock, or what the gate finds in the measurement
Fault RigServiceLoop::sense() noexcept {
  if (const Fault fault = rig_.read(tick_time())) return fault;
  const bool calm = gate_.watch(rig_.reading());
  if (!calm && gate_.fault().kind == FaultKind::kNotFinite) return gate_.fault();
  rig_.accept(tick_time());
  show(gate_.last_drive());
  if (const Fault stop = rig_.state().interlock) return stop;
  return calm ? Fault{} : gate_.fault();
}

void RigServiceLoop::show(const ActuatorVector& drive) noexcept {
  const Measurement& sensed = rig_.sensed();
  for (Eigen::Index i = 0; i < sensed.displacement.size(); ++i) {
    Shown& shown = shown_[static_cast<std::size_t>(i)];
    shown.drive.store(drive[i], std::memory_order_relaxed);
    shown.measured.store(sensed.displacement[i], std::memory_order_relaxed);
    shown.force.store(sensed.force[i], std::memory_order_relaxed);
  }
}

/// No limit applies: nothing moves.
void RigServiceLoop::read_tick() noexcept {
  if (asked_.load(std::memory_order_relaxed)) return hold(RigTaskEnd::kAsked);
  fault_ = rig_.read(tick_time());
  const Measurement& reading = rig_.reading();
  if (!fault_ && (reading.displacement.size() != gate_.last_drive().size() ||
                  reading.force.size() != gate_.last_drive().size() ||
                  !reading.displacement.allFinite() || !reading.force.allFinite() ||
                  !reading.force_only.allFinite()))
    fault_ = {FaultKind::kNotFinite, -1, 0.0, 0.0};
  if (fault_) return end_.store(RigTaskEnd::kUnreadable, std::memory_order_release);
  rig_.accept(tick_time());
  seen_.readings.begin_reading();
  Eigen::Index at = 0;
  const auto add = [&](const auto& values) {
    for (const double value : values) {
      if (at < seen_.readings.values()) seen_.readings.set(at, value);
      ++at;
    }
  };
  add(reading.displacement);
  add(reading.force);
  add(reading.force_only);
  add(rig_.auxiliary_channels());
  show(gate_.last_drive());
  if (seen_.readings.count() >= seen_.wanted)
    end_.store(RigTaskEnd::kRead, std::memory_order_release);
}

void RigServiceLoop::motion_tick(TimePoint now) noexcept {
  if (const Fault fault = find_host_fault(now)) return trip(fault);
  // Before the read: it may take its time, and the drive in force stays either way.
  if (const RigTaskEnd end = why_to_hold(now); end != RigTaskEnd::kNotYet) return hold(end);
  if (const Fault fault = sense()) return trip(fault);
  const Measurement& sensed = rig_.sensed();
  if (ticks_.done == 0 && !checks::are_near(task_->found, sensed.displacement,
                                            settings_.limits, settings_.tick))
    return hold(RigTaskEnd::kMoved);
  for (Eigen::Index i = 0; i < sensed.force.size(); ++i) {
    if (std::abs(sensed.force[i]) <= task_->force[i]) continue;
    stopped_by_ = static_cast<int>(i);
    return hold(RigTaskEnd::kForce);
  }
  if (task_->sine) measure();
  drive();
}

/// What the rig does of itself before the sine, and how it follows the sine.
void RigServiceLoop::measure() noexcept {
  const Measurement& sensed = rig_.sensed();
  const Eigen::Index actuators = sensed.displacement.size();
  const std::int64_t tick = ticks_.on_path - task_->path.ticks();
  if (tick < 0) {
    seen_.readings.begin_reading();
    for (Eigen::Index i = 0; i < actuators; ++i) {
      seen_.readings.set(i, sensed.displacement[i]);
      seen_.readings.set(actuators + i, sensed.force[i]);
    }
    return;
  }
  const int i = task_->sine->moving(tick);
  if (i < 0 || !task_->sine->measured(tick)) return;
  ExerciseFit& fit = seen_.fits[static_cast<std::size_t>(i)];
  // From where it stood: a large offset costs digits.
  fit.displacement.add(tick, sensed.displacement[i] - task_->found[i]);
  fit.force.add(tick, sensed.force[i]);
}

/// Before any drive after it: of a host that slept, and of ticks that came too late.
Fault RigServiceLoop::find_host_fault(TimePoint now) noexcept {
  const Duration slept = clock_.asleep();
  const Duration newly = slept - slept_;
  slept_ = std::max(slept_, slept);
  if (ticks_.done > 0 && newly >= kNoSleep)
    return {FaultKind::kSuspended, -1, seconds(newly), 0.0};
  const Duration late = now - *next_;
  if (!overruns_.add(late)) return {};
  return {FaultKind::kOverrun, -1, seconds(late), seconds(overruns_.limit())};
}

/// Where the whole program stood still for longer, the words that it hears afterwards are
/// those of a person who was not answered, and may have left.
RigTaskEnd RigServiceLoop::why_to_hold(TimePoint now) noexcept {
  if (asked_.load(std::memory_order_relaxed)) return RigTaskEnd::kAsked;
  const TimePoint heard{Duration{heard_.at.load(std::memory_order_relaxed)}};
  const bool silent = now - heard > settings_.silence || now - *next_ > settings_.silence;
  return silent ? RigTaskEnd::kSilent : RigTaskEnd::kNotYet;
}

/// The first drives repeat the one in force. The person may be gone since:
/// the rig may have needed its time to get ready.
void RigServiceLoop::drive() noexcept {
  const ActuatorVector drive = gate_.pass(task_->at(ticks_.on_path), rig_.sensed());
  if (gate_.fault()) return trip(gate_.fault());
  // No drive reaches the rig behind a hold: who asks for one while this is set leaves it to
  // this thread, and who asked before is seen here.
  drives_.store(true);
  const bool asked = asked_.load();
  const Fault fault = asked ? Fault{} : rig_.write(drive, drive, drive);
  drives_.store(false);
  if (fault.kind == FaultKind::kAdapter) return trip(fault);
  if (asked_.load()) return hold(RigTaskEnd::kAsked);
  const auto last = static_cast<std::int64_t>(std::ceil(kAtTheEnd / settings_.tick));
  if (ticks_.on_path >= task_->ticks() + last) hold(RigTaskEnd::kThere);
  if (heard_.repeated.load(std::memory_order_relaxed)) ++ticks_.on_path;
}

/// As in a test (SafetySupervisor): nothing moves a rig that was not driven yet, cannot be
/// read, or was without control for an unknown time.
void RigServiceLoop::trip(const Fault& fault) noexcept {
  fault_ = fault;
  // To the end of the safe action: who asks for a hold leaves it to this thread, and behind
  // a hold that was asked for before nothing moves.
  drives_.store(true);
  const bool moving = !asked_.load() && rig_.state().written > 0 && rig_.trusted() &&
                      fault.kind != FaultKind::kAdapter &&
                      fault.kind != FaultKind::kSuspended && !forbids_motion(fault);
  action_.start(gate_.last_drive(), rig_.sensed(), moving);
  if (action_.finished()) return hold(RigTaskEnd::kFault);
  acts_safely_.store(true, std::memory_order_release);
}

void RigServiceLoop::step_safe_action() noexcept {
  if (rig_.read(tick_time()) || forbids_motion(rig_.state().interlock) || asked_.load()) {
    action_.hold();
    return hold(RigTaskEnd::kFault);
  }
  const ActuatorVector drive = action_.next(rig_.reading());
  if (action_.fault().kind != FaultKind::kNotFinite) {
    rig_.accept(tick_time());
    show(drive);
  }
  if (rig_.write(drive, drive, drive).kind == FaultKind::kAdapter) action_.hold();
  if (action_.finished()) hold(RigTaskEnd::kFault);
}

void RigServiceLoop::hold(RigTaskEnd end) noexcept {
  rig_.hold();
  drives_.store(false);
  if (const std::optional<DriveInForce> given = rig_.given()) show(given->drive);
  acts_safely_.store(false, std::memory_order_release);
  end_.store(end, std::memory_order_release);
}

}  // namespace trestle::site_node
