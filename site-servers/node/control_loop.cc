#include "site-servers/node/control_loop.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "site-servers/safety/fault_snapshot.h"
#include "site-servers/trajectory/step_interpolation.h"

namespace trestle {
namespace {

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

/// The wrong number of values: as if the missing ones were none.
Fault not_complete() noexcept {
  return {FaultKind::kNotFinite, -1, std::numeric_limits<double>::quiet_NaN(),
          std::numeric_limits<double>::max()};
}

bool complete(const Target& target, Eigen::Index dofs) noexcept {
  return target.displacement.size() == dofs && target.velocity.size() == dofs &&
         target.acceleration.size() == dofs;
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
      load_cells_(adapter.description().reactions),
      limits_(complete(settings.limits, frame.actuators())),
      ticks_per_step_(settings.ticks_per_step),
      frame_(frame),
      compensator_(std::move(compensator)),
      controller_(std::move(controller)),
      adapter_(adapter),
      leaps_(adapter.description().real_equipment),
      by_time_(motion != nullptr),
      motion_(motion != nullptr
                  ? std::move(motion)
                  : std::make_unique<StepInterpolation>(
                        frame_.interface_dofs(), settings.time_step, ticks_per_step_)),
      feedforward_(frame_.interface_dofs(), settings.time_step, ticks_per_step_),
      inertia_(settings.specimen_mass, settings.time_step / ticks_per_step_,
               frame_.interface_dofs(), settings.inertia_measured),
      return_(complete(settings.limits, frame_.actuators()),
              settings.time_step / ticks_per_step_),
      drive_return_(complete(settings.limits, frame_.actuators()),
                    settings.time_step / ticks_per_step_),
      gate_(complete(settings.limits, frame_.actuators()),
            settings.time_step / ticks_per_step_),
      tick_(settings.time_step / ticks_per_step_),
      energy_(complete(settings.limits, frame_.actuators()),
              settings.time_step / ticks_per_step_),
      ramp_(complete(settings.limits, frame_.actuators()),
            settings.time_step / ticks_per_step_, settings.ramp_duration),
      safe_return_(settings.safe_action, complete(settings.limits, frame_.actuators()),
                   settings.time_step / ticks_per_step_),
      record_(frame_.actuators(), settings.record_every, ticks,
              adapter.description().extra.size()),
      drives_(settings.drives),
      reading_(Sensed::zero(frame_.actuators(), adapter.description().reactions)),
      sensed_(reading_),
      sum_(reading_),
      stroke_(ActuatorVector::Zero(frame_.actuators())),
      command_(ActuatorVector::Zero(frame_.actuators())),
      given_{command_, command_, command_, command_} {
  assert(compensator_ && controller_);
  if (drives_ != nullptr)
    drive_row_.assign(4 * static_cast<std::size_t>(frame_.actuators()), 0.0);
  if (by_time_)
    health_ = std::make_unique<LoopHealth>(
        limits_, tick_, static_cast<std::size_t>(adapter.description().reactions),
        adapter.description().extra.size());
}

Fault ControlLoop::sense(TimePoint now) noexcept {
  if (fault_) return fault_;
  sound_ = false;
  const AdapterStatus status = adapter_.read(now, reading_);
  if (status != AdapterStatus::kOk) return trip(adapter_fault(status));
  if (reading_.reaction.size() != load_cells_)
    return trip(adapter_fault(AdapterStatus::kTripped));
  const bool calm = gate_.watch(reading_);
  if (!calm && gate_.fault().kind == FaultKind::kNotFinite) return trip(gate_.fault());
  if (!frame_.linear())
    if (const Fault fault = first_not_finite(frame_.to_interface(reading_.displacement)))
      return trip({fault.kind, -1, fault.value, fault.limit});
  if (!inertia_.measure(adapter_.accelerations())) return trip(not_complete());
  sensed_ = reading_;
  sensed_at_ = now;
  sound_ = true;
  fresh_ = true;
  if (!opened_) {
    open_run();
    if (!gate_.stands_within()) return trip(gate_.fault());
  }
  if (health_ != nullptr) health_->sensed(sensed_, energy_, adapter_.extra());
  if (motion_->measuring()) average(sensed_);
  // The row that explains a trip is kept, too.
  const bool kept = record_.close(sensed_, adapter_.extra());
  // On the way to a step that is no motion in time an error feeds nothing in.
  if (!motion_->timeless() || motion_->measuring())
    if (const Fault fault = energy_.add(stroke_, sensed_.displacement, sensed_.force))
      return trip(fault);
  if (!calm) return trip(gate_.fault());
  if (!kept) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  return {};
}

Fault ControlLoop::refusal_of(const StepCommand& command) const noexcept {
  const Eigen::Index dofs = frame_.interface_dofs();
  const Eigen::Index fed = frame_.linear() ? dofs : 0;
  if (!complete(command.target, dofs) ||
      (command.feedforward_target.displacement.size() != 0 &&
       (fed == 0 || !complete(command.feedforward_target, fed))) ||
      (command.command_feedforward.size() != 0 &&
       command.command_feedforward.size() != fed))
    return not_complete();
  if (const Fault fault = first_not_finite(command)) return fault;
  const InterfaceVector& target = command.target.displacement;
  for (Eigen::Index i = 0; i < target.size(); ++i) {
    const double limit = layout_[static_cast<std::size_t>(i)].displacement_limit;
    if (!(std::abs(target[i]) <= limit))
      return {FaultKind::kTargetLimit, static_cast<int>(i), std::abs(target[i]), limit};
  }
  if (const Fault fault = beyond_stroke(target)) return fault;
  if (command.command_feedforward.size() == 0 &&
      command.feedforward_target.displacement.size() == 0)
    return {};
  // What the actuators are asked for where the compensator changes nothing.
  InterfaceVector asked = target;
  if (command.feedforward_target.displacement.size() != 0)
    asked -= command.feedforward_target.displacement;
  if (command.command_feedforward.size() != 0) asked += command.command_feedforward;
  return beyond_stroke(asked);
}

/// Where the loading frame takes an actuator that this place is beyond its limit.
Fault ControlLoop::beyond_stroke(const InterfaceVector& place) const noexcept {
  const ActuatorVector stroke = frame_.to_actuators(place);
  for (Eigen::Index i = 0; i < stroke.size(); ++i) {
    const double limit = limits_[static_cast<std::size_t>(i)].displacement;
    if (std::abs(stroke[i]) > limit)
      return {FaultKind::kDisplacementLimit, static_cast<int>(i), std::abs(stroke[i]),
              limit};
  }
  return {};
}

Fault ControlLoop::accept(const StepCommand& command, int ticks) noexcept {
  assert(!step_open());
  assert(opened_ || fault_);
  if (fault_) return fault_;
  if (const Fault fault = refusal_of(command)) return fault;
  ramp_.cancel();
  if (resting_) return_.begin();
  resting_ = false;
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
  gate_.rest();
  static_cast<StepInterpolation&>(*motion_).skip();
  left_out_ = leaps_;
}

void ControlLoop::begin_anew() noexcept {
  static_cast<StepInterpolation&>(*motion_).begin_anew();
}

Fault ControlLoop::act() noexcept {
  if (fault_) return fault_;
  assert(fresh_);
  const Target target = motion_->next();
  stroke_ = frame_.to_actuators(target.displacement);
  const ActuatorVector wanted = command_towards(target);
  const ActuatorVector command = resting_ ? command_ : return_.pass(wanted, command_);
  if (!inertia_.none()) follow_path(target, command - wanted);
  const ActuatorVector sought =
      drive_return_.pass(controller_->drive(command, sensed_), gate_.last_drive());
  const ActuatorVector drive = gate_.pass(sought, sensed_);
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
  inertia_.take_out(response.force);
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
    gate_.rest();
    ramp_.start(gate_.last_drive());
  }
  const ActuatorVector drive = gate_.pass(ramp_.next(), sensed_);
  if (!gate_.fault()) stroke_ = command_ = drive;
  if (write(drive)) return true;
  if (!ramp_.finished()) return false;
  adapter_.hold();  // nobody drives it from here on, and its watchdog shall be quiet
  return true;
}

Fault ControlLoop::bring_to_safety(const Fault& why) noexcept {
  return fault_ ? fault_ : trip(why);
}

bool ControlLoop::safe_tick(TimePoint now) noexcept {
  if (safe()) return true;
  if (!safe_begun_) ++ticks_to_safe_action_;
  const AdapterStatus status = adapter_.read(now, reading_);
  if (status != AdapterStatus::kOk || reading_.reaction.size() != load_cells_) {
    safe_return_.hold();
    adapter_.hold();
    return true;
  }
  const ActuatorVector drive = safe_return_.next(reading_);
  if (safe_return_.fault().kind != FaultKind::kNotFinite) {
    sensed_ = reading_;
    sensed_at_ = now;
    record_.close(sensed_,
                  adapter_.extra());  // a row that is lost now must not end the safe action
  }
  stroke_ = drive;
  command_ = drive;
  record_.open(acted_, stroke_, command_);
  keep_drive(drive);  // a row that is lost now must not end the safe action
  ++acted_;
  safe_begun_ = true;
  if (adapter_.write(drive) != AdapterStatus::kOk) safe_return_.hold();
  if (safe_return_.finished()) adapter_.hold();
  return safe_return_.finished();
}

void ControlLoop::hold() noexcept {
  if (fault_ && !safe()) return;
  gate_.rest();
  adapter_.hold();
  motion_->hold();
  ramp_.cancel();
  if (drive_return_.active()) drive_return_.begin();
  rest();
}

/// A motion that takes no time tells no velocity that a compensator could lead.
void ControlLoop::rest() noexcept {
  resting_ = by_time_ && acted_ > 0 && !motion_->timeless();
  return_.cancel();
  if (health_ != nullptr) health_->rest(gate_.last_drive());
}

void ControlLoop::stood(const DriveInForce& before) noexcept {
  const Eigen::Index actuators = command_.size();
  for (const ActuatorVector* values :
       {&before.stroke, &before.command, &before.drive, &before.measured})
    if (values->size() != actuators || !values->allFinite()) return;
  given_ = before;
  any_given_ = true;
}

void ControlLoop::look_again() noexcept {
  if (!opened_ || fault_ || !sound_ || !any_given_) return;
  if (!stands_by_given(reported_drive(adapter_.drive_in_force(), command_.size()))) join();
}

void ControlLoop::take_up(std::int64_t step, std::int64_t ticks) noexcept {
  controller_->reset();
  motion_->hold();
  step_ = step;
  acted_ = ticks;
  rest();
  summed_ = 0;
  opened_ = false;
  fresh_ = false;
  fault_ = {};
  sound_ = false;
  safe_begun_ = false;
  ticks_to_safe_action_ = 0;
  safe_return_.cancel();
  gate_.reset(any_given_ ? given_.drive : gate_.last_drive());
  activated_ = true;
  record_.drop();
  ramp_.cancel();
}

void ControlLoop::reset() noexcept {
  compensator_->reset();
  controller_->reset();
  motion_->hold();
  resting_ = false;
  return_.cancel();
  step_ = kOpeningStep;
  summed_ = 0;
  acted_ = 0;
  opened_ = false;
  fresh_ = false;
  fault_ = {};
  sound_ = false;
  safe_begun_ = false;
  ticks_to_safe_action_ = 0;
  safe_return_.cancel();
  gate_.reset(gate_.last_drive());
  activated_ = false;
  any_given_ = false;
  drive_return_.cancel();
  energy_.reset();
  record_.drop();
  ramp_.cancel();
}

Fault ControlLoop::trip(const Fault& fault) noexcept {
  fault_ = fault;
  motion_->hold();
  ramp_.cancel();
  safe_begun_ = false;
  ticks_to_safe_action_ = 0;
  // A rig that was never driven is never moved, nor one that cannot be read, or was left
  // alone for longer than anybody knows.
  const bool moving = acted_ > 0 && sound_ && fault.kind != FaultKind::kAdapter &&
                      fault.kind != FaultKind::kStalled &&
                      fault.kind != FaultKind::kSuspended;
  safe_return_.start(gate_.last_drive(), sensed_, moving);
  if (safe_return_.finished()) adapter_.hold();
  return fault_;
}

void ControlLoop::open_run() noexcept {
  opened_ = true;
  energy_.reset();
  feedforward_.start();
  ramp_.cancel();
  // Where it stands is judged as a drive, whatever is in force.
  gate_.reset(sensed_.displacement);
  if (!gate_.watch(sensed_) || !gate_.stands_within()) {
    stroke_ = command_ = sensed_.displacement;
    motion_->start(frame_.to_interface(sensed_.displacement));
    inertia_.begin(frame_.to_interface(sensed_.displacement));
    return;
  }
  join();
}

/// What was given last is in force still, as far as the equipment says or shows.
bool ControlLoop::stands_by_given(
    const std::optional<ActuatorVector>& said) const noexcept {
  return said ? are_near(*said, given_.drive, limits_, tick_)
              : still_stands(given_, sensed_.displacement, limits_, tick_);
}

/// The next drive is the one in force, and the gate knows it.
void ControlLoop::join() noexcept {
  const std::optional<ActuatorVector> said =
      reported_drive(adapter_.drive_in_force(), command_.size());
  const bool given = any_given_ && stands_by_given(said);
  const ActuatorVector from = said ? *said : given ? given_.drive : sensed_.displacement;
  gate_.reset(from);
  gate_.watch(sensed_);  // again: a force above its limit stays a fault
  stroke_ = given ? given_.stroke : from;
  command_ = given ? given_.command : from;
  InterfaceVector place = frame_.to_interface(stroke_);
  if (!place.allFinite()) place = frame_.to_interface(sensed_.displacement);
  motion_->start(place);
  inertia_.begin(place);
  left_out_ = false;
  // A run that begins where its rig stands has nothing to join.
  drive_return_.cancel();
  if (activated_ || said || given) drive_return_.begin();
  if (health_ != nullptr) health_->rest(from);
}

/// Before it is written: of two lives of a site the later knows it at least as far.
bool ControlLoop::keep_drive(const ActuatorVector& drive) noexcept {
  if (health_ != nullptr) health_->driven(drive);
  given_ = {stroke_, command_, drive, sensed_.displacement};
  any_given_ = true;
  if (drives_ == nullptr) return true;
  double* out = drive_row_.data();
  for (Eigen::Index i = 0; i < drive.size(); ++i)
    for (const ActuatorVector* values :
         {&given_.stroke, &given_.command, &given_.drive, &given_.measured})
      *out++ = (*values)[i];
  return drives_->push({acted_, drive_row_});
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

/// Where the interface is led in this tick.
/// @param beside  what the command has beside the one that is wanted, after a rest
void ControlLoop::follow_path(const Target& target, const ActuatorVector& beside) noexcept {
  if (left_out_) {
    inertia_.leap(target.displacement, target.velocity, target.acceleration);
  } else if (beside.isZero(0.0)) {
    inertia_.pass(target.displacement);
  } else {
    inertia_.pass(frame_.to_interface(ActuatorVector(stroke_ + beside)));
  }
  left_out_ = false;
}

/// What the gate let through, or where it tripped the drive that it holds.
Fault ControlLoop::write(const ActuatorVector& drive) noexcept {
  fresh_ = false;
  const bool kept = keep_drive(drive);
  ++acted_;
  const AdapterStatus status = adapter_.write(drive);
  if (gate_.fault()) return trip(gate_.fault());
  if (status != AdapterStatus::kOk) return trip(adapter_fault(status));
  if (!kept) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  return {};
}

}  // namespace trestle
