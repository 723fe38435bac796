#include "site-servers/node/control_loop.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/types/setting_error.h"
#include "site-servers/control/step_interpolation.h"
#include "site-servers/safety/fault_snapshot.h"

namespace trestle {
namespace {

const ControlLoopSettings& checked(const ControlLoopSettings& settings,
                                   const LoadingFrame& frame) {
  if (!(settings.time_step > 0.0) || !std::isfinite(settings.time_step))
    throw SettingError("time_step", "time step is " + std::to_string(settings.time_step) +
                                        " s; must be above zero");
  if (settings.ticks_per_step < 1)
    throw SettingError("control_tick", "a step has " +
                                           std::to_string(settings.ticks_per_step) +
                                           " control ticks; must be at least one");
  if (!(settings.ramp_duration >= 0.0) || !std::isfinite(settings.ramp_duration))
    throw SettingError("ramp_duration", "the ramp to the safe position takes " +
                                            std::to_string(settings.ramp_duration) +
                                            " s; must not be below zero");
  if (settings.record_every < 1) throw SettingError("record_ticks", "must be at least 1");
  const std::size_t controlled = controlled_dofs(settings.layout);
  if (controlled != static_cast<std::size_t>(frame.interface_dofs()))
    throw SettingError("interface", std::to_string(controlled) +
                                        " controlled DOFs, but the loading frame has " +
                                        std::to_string(frame.interface_dofs()));
  if (!controlled_first(settings.layout))
    throw SettingError("interface", "controlled DOFs must stand before force-only ones");
  const InterfaceLayout moved(
      settings.layout.begin(),
      settings.layout.begin() + static_cast<std::ptrdiff_t>(controlled));
  if (const std::string why = frame.refusal_of(moved); !why.empty())
    throw SettingError("interface", why);
  for (const InterfaceDof& dof : settings.layout) {
    if (!(dof.displacement_limit > 0.0))
      throw SettingError("limits.interface", "the limit of " + dof.name + " is " +
                                                 std::to_string(dof.displacement_limit) +
                                                 "; must be above zero");
  }
  return settings;
}

Eigen::Index checked_reactions(const InterfaceLayout& layout, const SiteAdapter& adapter) {
  const std::size_t asked = layout.size() - controlled_dofs(layout);
  const auto given = static_cast<std::size_t>(adapter.description().reactions);
  if (asked > given)
    throw SettingError("force_only", std::to_string(asked) +
                                         " DOFs, but the rig has load cells for " +
                                         std::to_string(given));
  return static_cast<Eigen::Index>(asked);
}

/// No limits stated are limits that are infinite.
RigLimits complete(const RigLimits& limits, int actuators) {
  const auto count = static_cast<std::size_t>(actuators);
  if (limits.empty()) return RigLimits(count);
  if (limits.size() != count)
    throw SettingError("limits.actuators", std::to_string(limits.size()) + " entries for " +
                                               std::to_string(actuators) +
                                               " actuators; give one each");
  return limits;
}

Fault first_not_finite(const InterfaceVector& values) noexcept {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return {FaultKind::kNotFinite, static_cast<int>(i), values[i],
              std::numeric_limits<double>::max()};
  return {};
}

Fault first_not_finite(const StepCommand& command) noexcept {
  for (const Target* target : {&command.target, &command.feedforward_target})
    for (const InterfaceVector* values :
         {&target->displacement, &target->velocity, &target->acceleration})
      if (const Fault fault = first_not_finite(*values)) return fault;
  return first_not_finite(command.command_feedforward);
}

Fault adapter_fault(AdapterStatus status) noexcept {
  return {FaultKind::kAdapter, -1, static_cast<double>(status), 0.0};
}

}  // namespace

ControlLoop::ControlLoop(const ControlLoopSettings& settings, const LoadingFrame& frame,
                         std::unique_ptr<Compensator> compensator,
                         std::unique_ptr<ActuatorController> controller,
                         SiteAdapter& adapter, StepSink* ticks,
                         std::unique_ptr<StepMotion> motion)
    : layout_(checked(settings, frame).layout),
      reactions_(checked_reactions(layout_, adapter)),
      ticks_per_step_(settings.ticks_per_step),
      frame_(frame),
      compensator_(std::move(compensator)),
      controller_(std::move(controller)),
      adapter_(adapter),
      motion_(motion != nullptr
                  ? std::move(motion)
                  : std::make_unique<StepInterpolation>(
                        frame_.interface_dofs(), settings.time_step, ticks_per_step_)),
      feedforward_(frame_.interface_dofs(), settings.time_step, ticks_per_step_),
      gate_(complete(settings.limits, frame_.actuators()),
            settings.time_step / ticks_per_step_),
      energy_(complete(settings.limits, frame_.actuators()),
              settings.time_step / ticks_per_step_),
      ramp_(complete(settings.limits, frame_.actuators()),
            settings.time_step / ticks_per_step_, settings.ramp_duration),
      record_(frame_.actuators(), settings.record_every, ticks),
      reading_(Sensed::zero(frame_.actuators(), adapter.description().reactions)),
      sensed_(reading_),
      sum_(reading_),
      stroke_(ActuatorVector::Zero(frame_.actuators())),
      command_(ActuatorVector::Zero(frame_.actuators())) {
  assert(compensator_ && controller_);
}

Fault ControlLoop::sense(TimePoint now) noexcept {
  if (fault_) return fault_;
  const AdapterStatus status = adapter_.read(now, reading_);
  if (status != AdapterStatus::kOk) return trip(adapter_fault(status));
  if (reading_.reaction.size() < reactions_)
    return trip(adapter_fault(AdapterStatus::kTripped));
  const bool calm = gate_.watch(reading_);
  if (!calm && gate_.fault().kind == FaultKind::kNotFinite) return trip(gate_.fault());
  if (!frame_.linear())
    if (const Fault fault = first_not_finite(frame_.to_interface(reading_.displacement)))
      return trip({fault.kind, -1, fault.value, fault.limit});
  sensed_ = reading_;
  sensed_at_ = now;
  fresh_ = true;
  if (!opened_) open_run();
  if (motion_->measuring()) average(sensed_);
  // The row that explains a trip is kept, too.
  const bool kept = record_.close(sensed_);
  // On the way to a step that is no motion in time an error feeds nothing in.
  if (!motion_->timeless() || motion_->measuring())
    if (const Fault fault = energy_.add(stroke_, sensed_.displacement, sensed_.force))
      return trip(fault);
  if (!calm) return trip(gate_.fault());
  if (!kept) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  return {};
}

Fault ControlLoop::refusal_of(const StepCommand& command) const noexcept {
  if (const Fault fault = first_not_finite(command)) return fault;
  const InterfaceVector& target = command.target.displacement;
  assert(target.size() == frame_.interface_dofs());
  assert(frame_.linear() || (command.feedforward_target.displacement.size() == 0 &&
                             command.command_feedforward.size() == 0));
  for (Eigen::Index i = 0; i < target.size(); ++i) {
    const double limit = layout_[static_cast<std::size_t>(i)].displacement_limit;
    if (!(std::abs(target[i]) <= limit))
      return {FaultKind::kTargetLimit, static_cast<int>(i), std::abs(target[i]), limit};
  }
  return {};
}

Fault ControlLoop::accept(const StepCommand& command, int ticks) noexcept {
  assert(!step_open());
  assert(opened_ || fault_);
  if (fault_) return fault_;
  if (const Fault fault = refusal_of(command)) return fault;
  ramp_.cancel();
  motion_->aim(command.target, ticks);
  feedforward_.aim(command.feedforward_target, command.command_feedforward);
  step_ = command.step;
  summed_ = 0;
  return {};
}

void ControlLoop::miss() noexcept {
  assert(!step_open());
  static_cast<StepInterpolation&>(*motion_).come_to_rest();
  feedforward_.come_to_rest();
  summed_ = 0;
}

void ControlLoop::skip() noexcept {
  static_cast<StepInterpolation&>(*motion_).skip();
}

Fault ControlLoop::act() noexcept {
  if (fault_) return fault_;
  assert(fresh_);
  const Target target = motion_->next();
  stroke_ = frame_.to_actuators(target.displacement);
  const ActuatorVector command = command_towards(target);
  const ActuatorVector drive = gate_.pass(controller_->drive(command, sensed_), sensed_);
  if (!gate_.fault()) command_ = command;
  record_.open(acted_, stroke_, command_);
  return write(drive);
}

void ControlLoop::answer(StepResponse& response) const noexcept {
  response.step = step_;
  response.measured_at = sensed_at_;
  // Of one read its own bits, not those of a mean.
  Sensed seen = sensed_;
  if (summed_ > 1) {
    const double share = 1.0 / summed_;
    seen = {sum_.displacement * share, sum_.force * share, sum_.reaction * share};
  }
  response.measured = frame_.to_interface(seen.displacement);
  const Eigen::Index controlled = frame_.interface_dofs();
  response.force.resize(controlled + reactions_);
  response.force.head(controlled) =
      frame_.force_to_interface(seen.force, seen.displacement);
  response.force.tail(reactions_) = seen.reaction.head(reactions_);
  response.actuators.target = stroke_;
  response.actuators.command = command_;
  response.actuators.measured = seen.displacement;
  response.actuators.force = seen.force;
  estimate(response.actuators);
}

/// What the compensator makes of the transfer system now.
void ControlLoop::estimate(ActuatorReport& report) const noexcept {
  const int actuators = frame_.actuators();
  report.delay.resize(actuators);
  report.amplitude.resize(actuators);
  for (int i = 0; i < actuators; ++i) {
    const std::optional<ActuatorEstimate> found = compensator_->estimate(i);
    if (!found) {
      report.delay.resize(0);
      report.amplitude.resize(0);
      return;
    }
    report.delay[i] = found->delay;
    report.amplitude[i] = found->amplitude;
  }
}

bool ControlLoop::ramp(TimePoint now) noexcept {
  if (!fresh_ && sense(now)) return true;
  if (fault_) return true;
  if (!ramp_.started()) {
    motion_->hold();
    ramp_.start(gate_.last_drive());
  }
  const ActuatorVector drive = gate_.pass(ramp_.next(), sensed_);
  if (!gate_.fault()) command_ = drive;
  return write(drive) || ramp_.finished();
}

void ControlLoop::hold() noexcept {
  adapter_.hold();
  motion_->hold();
  ramp_.cancel();
}

void ControlLoop::take_up(std::int64_t step, std::int64_t ticks) noexcept {
  controller_->reset();
  motion_->hold();
  step_ = step;
  acted_ = ticks;
  summed_ = 0;
  opened_ = false;
  fresh_ = false;
  fault_ = {};
  gate_.reset(gate_.last_drive());
  record_.drop();
  ramp_.cancel();
}

void ControlLoop::reset() noexcept {
  compensator_->reset();
  controller_->reset();
  motion_->hold();
  step_ = kOpeningStep;
  summed_ = 0;
  acted_ = 0;
  opened_ = false;
  fresh_ = false;
  fault_ = {};
  gate_.reset(gate_.last_drive());
  energy_.reset();
  record_.drop();
  ramp_.cancel();
}

void ControlLoop::save(SnapshotWriter& snapshot) const {
  compensator_->save(snapshot);
  controller_->save(snapshot);
  motion_->save(snapshot);
  feedforward_.save(snapshot);
  gate_.save(snapshot);
  energy_.save(snapshot);
  record_.save(snapshot);
  for (const std::int64_t count : {step_, std::int64_t{summed_}, acted_,
                                   std::int64_t{sensed_at_.time_since_epoch().count()}})
    snapshot.add(static_cast<double>(count));
  snapshot.add(opened_ ? 1.0 : 0.0);
  snapshot.add(fresh_ ? 1.0 : 0.0);
  for (const ActuatorVector* values :
       {&sensed_.displacement, &sensed_.force, &stroke_, &command_})
    snapshot.add(*values);
  snapshot.add(sensed_.reaction);
  snapshot.add(sum_.displacement);
  snapshot.add(sum_.force);
  snapshot.add(sum_.reaction);
  trestle::save(fault_, snapshot);
}

void ControlLoop::restore(SnapshotReader& snapshot) {
  compensator_->restore(snapshot);
  controller_->restore(snapshot);
  motion_->restore(snapshot);
  feedforward_.restore(snapshot);
  gate_.restore(snapshot);
  energy_.restore(snapshot);
  record_.restore(snapshot);
  step_ = static_cast<std::int64_t>(snapshot.next());
  summed_ = static_cast<int>(snapshot.next());
  acted_ = static_cast<std::int64_t>(snapshot.next());
  sensed_at_ = TimePoint(Duration(static_cast<Duration::rep>(snapshot.next())));
  opened_ = snapshot.next() != 0.0;
  fresh_ = snapshot.next() != 0.0;
  for (ActuatorVector* values :
       {&sensed_.displacement, &sensed_.force, &stroke_, &command_})
    snapshot.fill(*values);
  snapshot.fill(sensed_.reaction);
  snapshot.fill(sum_.displacement);
  snapshot.fill(sum_.force);
  snapshot.fill(sum_.reaction);
  trestle::restore(fault_, snapshot);
  ramp_.cancel();
}

Fault ControlLoop::trip(const Fault& fault) noexcept {
  fault_ = fault;
  motion_->hold();
  adapter_.hold();
  return fault_;
}

/// A run begins where the rig stands.
void ControlLoop::open_run() noexcept {
  opened_ = true;
  gate_.reset(sensed_.displacement);
  energy_.reset();
  gate_.watch(sensed_);  // again: a force above its limit stays a fault
  motion_->start(frame_.to_interface(sensed_.displacement));
  feedforward_.start();
  ramp_.cancel();
  stroke_ = sensed_.displacement;
  command_ = sensed_.displacement;
}

ActuatorVector ControlLoop::command_towards(const Target& target) noexcept {
  if (!feedforward_.active())
    return compensator_->command(frame_.to_actuators(target), sensed_.displacement,
                                 command_);
  const int tick = ticks_per_step_ - motion_->ticks_left();
  const Target part = feedforward_.part_at(tick);
  const Target rest{target.displacement - part.displacement,
                    target.velocity - part.velocity,
                    target.acceleration - part.acceleration};
  return compensator_->command(frame_.to_actuators(rest), sensed_.displacement, command_) +
         frame_.to_actuators(feedforward_.command_at(tick));
}

void ControlLoop::average(const Sensed& sensed) noexcept {
  if (summed_++ == 0) {
    sum_ = sensed;
    return;
  }
  sum_.displacement += sensed.displacement;
  sum_.force += sensed.force;
  sum_.reaction += sensed.reaction;
}

/// What the gate let through, or where it tripped the drive that it holds.
Fault ControlLoop::write(const ActuatorVector& drive) noexcept {
  fresh_ = false;
  ++acted_;
  const AdapterStatus status = adapter_.write(drive);
  if (gate_.fault()) return trip(gate_.fault());
  if (status != AdapterStatus::kOk) return trip(adapter_fault(status));
  return {};
}

}  // namespace trestle
