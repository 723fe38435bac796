#include "site-servers/node/control_chain.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "site-servers/trajectory/interpolated_trajectory.h"

namespace trestle::site_node {
namespace {

/// The fault if the frame cannot reach this position.
Fault nowhere(const InterfaceVector& place) noexcept {
  for (Eigen::Index i = 0; i < place.size(); ++i)
    if (!std::isfinite(place[i]))
      return {FaultKind::kNotFinite, -1, place[i], std::numeric_limits<double>::max()};
  return {};
}

/// Returns true if the last drive is still in force, as far as the equipment reports or
/// shows it.
bool stands_by(const std::optional<DriveInForce>& given,
               const std::optional<ActuatorVector>& said, const ActuatorVector& measured,
               const RigLimits& limits, double tick) noexcept {
  if (!given) return false;
  if (said) return checks::are_near(*said, given->drive, limits, tick);
  return checks::is_doubtful(*given) ? checks::stands_on(*given, measured, limits, tick)
                                     : checks::still_stands(*given, measured, limits, tick);
}

/// Fills in the compensator's present estimate of the transfer system.
void estimate(const Compensator& compensator, int actuators,
              ActuatorReport& report) noexcept {
  report.delay.resize(actuators);
  report.amplitude.resize(actuators);
  for (int i = 0; i < actuators; ++i) {
    const std::optional<TransferEstimate> found = compensator.estimate(i);
    if (!found) {
      report.delay.resize(0);
      report.amplitude.resize(0);
      return;
    }
    report.delay[i] = found->delay;
    report.amplitude[i] = found->amplitude;
  }
}

/// Those of the command of this tick.
void record_coefficients(const Compensator& compensator, int actuators,
                         std::span<double> row) noexcept {
  if (row.empty()) return;
  const std::size_t each = row.size() / static_cast<std::size_t>(actuators);
  for (int i = 0; i < actuators; ++i)
    compensator.copy_coefficients(i, row.subspan(static_cast<std::size_t>(i) * each, each));
}

std::unique_ptr<trajectory::TrajectoryGenerator> or_interpolation(
    std::unique_ptr<trajectory::TrajectoryGenerator> motion,
    const ControlLoopSettings& settings, const LoadingFrame& frame) {
  if (motion != nullptr) return motion;
  return std::make_unique<trajectory::InterpolatedTrajectory>(
      frame.interface_dofs(), settings.time_step, settings.ticks_per_step);
}

}  // namespace

ControlChain::ControlChain(const ControlLoopSettings& settings, const LoadingFrame& frame,
                           Blocks blocks, Eigen::Index reactions, RigPort& rig)
    : limits_(complete(settings.limits, frame.actuators())),
      reactions_(reactions),
      ticks_per_step_(settings.ticks_per_step),
      tick_(settings.time_step / ticks_per_step_),
      leaps_(rig.real_equipment()),
      by_time_(blocks.motion != nullptr),
      frame_(frame),
      rig_(rig),
      compensator_(std::move(blocks.compensator)),
      controller_(std::move(blocks.controller)),
      motion_(or_interpolation(std::move(blocks.motion), settings, frame)),
      feedforward_(frame.interface_dofs(), settings.time_step, ticks_per_step_),
      inertia_(settings.specimen_mass, tick_, frame.interface_dofs(),
               settings.inertia_measured),
      bumpless_(limits_, tick_),
      drive_bumpless_(limits_, tick_),
      coasting_(limits_, tick_),
      gate_(limits_, tick_),
      energy_(limits_, tick_),
      state_(rig.sensed(), frame.actuators()) {
  assert(compensator_ && controller_);
}

Fault ControlChain::read(TimePoint now) noexcept {
  if (const Fault fault = rig_.read(now)) return fault;
  const Measurement& reading = rig_.reading();
  const bool calm = gate_.watch(reading);
  if (!calm && gate_.fault().kind == FaultKind::kNotFinite) return gate_.fault();
  if (!frame_.linear())
    if (const Fault fault = nowhere(frame_.to_interface(reading.displacement)))
      return fault;
  if (!inertia_.measure(rig_.accelerations()))
    return {FaultKind::kNotFinite, -1, std::numeric_limits<double>::quiet_NaN(),
            std::numeric_limits<double>::max()};
  rig_.accept(now);
  const Measurement& sensed = rig_.sensed();
  if (!opened()) {
    if (const Fault unknown = open()) return unknown;
    if (!gate_.is_within_limits()) return gate_.fault();
  }
  if (LoopHealth* const health = rig_.health())
    health->sensed(sensed, energy_, rig_.auxiliary_channels());
  if (motion_->measuring()) state_.mean.add(sensed);
  // The row that explains a trip is kept, too.
  const bool kept = rig_.close_row();
  // Before a limit: what it asks for is at least as much.
  if (const Fault stop = rig_.state().interlock) return stop;
  // On the way to a step that is no motion in time an error feeds nothing in.
  if (!motion_->timeless() || motion_->measuring())
    if (const Fault fault = energy_.add(state_.stroke, sensed.displacement, sensed.force))
      return fault;
  if (!calm) return gate_.fault();
  return kept ? Fault{} : Fault{FaultKind::kJournal, -1, 0.0, 0.0};
}

Fault ControlChain::drive() noexcept {
  assert(rig_.fresh());
  const Measurement& sensed = rig_.sensed();
  const InterfaceMotion target = motion_->next();
  state_.stroke = frame_.to_actuators(target.displacement);
  const ActuatorVector wanted = command_towards(target);
  const ActuatorVector command = state_.resting ? coasting_.next(state_.command)
                                                : bumpless_.pass(wanted, state_.command);
  // In case that this step is the last one of the test.
  if (!state_.resting) coasting_.begin(command - state_.command);
  // A motion that ends at rest stays at its target.
  const bool stands = target.velocity.isZero(0.0) && !bumpless_.active();
  if (!state_.resting && stands) coasting_.cancel();
  if (!inertia_.none()) follow_path(target, command - wanted);
  const ActuatorVector asked = controller_->drive(command, sensed);
  const ActuatorVector joined = drive_bumpless_.pass(asked, gate_.last_drive());
  const ActuatorVector drive = gate_.pass(joined, sensed);
  // If the gate rejected the drive, the previous command stays in force.
  const Fault blocked = gate_.fault();
  if (!blocked) state_.command = command;
  record_coefficients(*compensator_, frame_.actuators(),
                      rig_.open_row(state_.stroke, state_.command));
  const Fault refused = rig_.write(drive, state_.stroke, state_.command);
  return blocked ? blocked : refused;
}

Fault ControlChain::drive_straight(const ActuatorVector& to) noexcept {
  const ActuatorVector drive = gate_.pass(to, rig_.sensed());
  const Fault blocked = gate_.fault();
  if (!blocked) follow(drive);
  const Fault refused = rig_.write(drive, state_.stroke, state_.command);
  return blocked ? blocked : refused;
}

int ControlChain::remaining_ticks() const noexcept {
  return motion_->remaining_ticks();
}

void ControlChain::aim(const StepCommand& command, int ticks) noexcept {
  assert(!step_open());
  if (std::exchange(state_.resting, false)) bumpless_.begin();
  motion_->aim(command.target, ticks);
  feedforward_.aim(command.feedforward_target, command.command_feedforward);
  state_.mean.clear();
}

void ControlChain::miss() noexcept {
  feedforward_.decelerate_to_rest();
  state_.mean.clear();
}

void ControlChain::skip() noexcept {
  gate_.rest();
  if (state_.resting) coasting_.cancel();  // it has stood meanwhile
  left_out_ = leaps_;
}

void ControlChain::rest() noexcept {
  gate_.rest();
  motion_->hold();
  if (drive_bumpless_.active()) drive_bumpless_.begin();
  rest_command();
}

/// To drop the lead of the compensator, or to stop at once, would exceed the limits of rate
/// and acceleration.
void ControlChain::decelerate_to_rest() noexcept {
  if (state_.resting || rig_.state().written == 0) return;
  motion_->hold();
  bumpless_.cancel();
  state_.resting = true;
}

/// A motion without duration reports no velocity that a compensator could lead.
void ControlChain::rest_command() noexcept {
  state_.resting = by_time_ && rig_.state().written > 0 && !motion_->timeless();
  bumpless_.cancel();
  coasting_.cancel();
  if (LoopHealth* const health = rig_.health()) health->rest(gate_.last_drive());
}

ActuatorVector ControlChain::stop() noexcept {
  motion_->hold();
  return gate_.last_drive();
}

Fault ControlChain::look_again() noexcept {
  if (!opened() || !rig_.trusted()) return {};
  const std::optional<DriveInForce> given = rig_.given();
  // Of a rig that nothing has driven, the opening read may be old.
  if (stands_by(given, rig_.reported(), rig_.sensed().displacement, limits_, tick_))
    return {};
  state_.activated = true;
  return join();
}

void ControlChain::resume() noexcept {
  controller_->reset();
  motion_->hold();
  rest_command();
  state_.mean.clear();
  state_.opened = false;
  const std::optional<DriveInForce> given = rig_.given();
  gate_.reset(given ? given->drive : gate_.last_drive());
  state_.activated = true;
}

void ControlChain::reset() noexcept {
  compensator_->reset();
  controller_->reset();
  motion_->hold();
  state_.resting = false;
  bumpless_.cancel();
  state_.mean.clear();
  state_.opened = false;
  gate_.reset(gate_.last_drive());
  state_.activated = false;
  drive_bumpless_.cancel();
  energy_.reset();
}

Fault ControlChain::open() noexcept {
  const Measurement& sensed = rig_.sensed();
  state_.opened = true;
  energy_.reset();
  feedforward_.start();
  // The initial position is checked like a drive, whatever drive is in force.
  gate_.reset(sensed.displacement);
  if (!gate_.watch(sensed) || !gate_.is_within_limits()) {
    follow(sensed.displacement);
    motion_->start(frame_.to_interface(sensed.displacement));
    inertia_.begin(frame_.to_interface(sensed.displacement));
    return {};
  }
  return join();
}

/// The next drive is the one in force, and the gate knows it.
/// @returns kUnknownDrive if a run continues whose last drive is not in force any more,
/// or
///          may not be, and the equipment does not say which one is
Fault ControlChain::join() noexcept {
  const Measurement& sensed = rig_.sensed();
  const std::optional<ActuatorVector> said = rig_.reported();
  const std::optional<DriveInForce> last = rig_.given();
  const bool given = stands_by(last, said, sensed.displacement, limits_, tick_);
  const ActuatorVector from = said ? *said : given ? last->drive : sensed.displacement;
  gate_.reset(from);
  gate_.watch(sensed);  // again: a force above its limit stays a fault
  state_.stroke = given ? last->stroke : from;
  state_.command = given ? last->command : from;
  InterfaceVector place = frame_.to_interface(state_.stroke);
  if (!place.allFinite()) place = frame_.to_interface(sensed.displacement);
  motion_->start(place);
  inertia_.begin(place);
  left_out_ = false;
  // A run that begins at the rig's position needs no transition.
  drive_bumpless_.cancel();
  if (state_.activated || said || given) drive_bumpless_.begin();
  if (LoopHealth* const health = rig_.health()) health->rest(from);
  const bool unknown = state_.activated && rig_.real_equipment() && last && !given && !said;
  return unknown ? Fault{FaultKind::kUnknownDrive, -1, 0.0, 0.0} : Fault{};
}

ActuatorVector ControlChain::command_towards(const InterfaceMotion& target) noexcept {
  const ActuatorVector& measured = rig_.sensed().displacement;
  if (!feedforward_.active())
    return compensator_->command(frame_.to_actuators(target), measured, state_.command);
  const int tick = ticks_per_step_ - motion_->remaining_ticks();
  const InterfaceMotion part = feedforward_.target_at(tick);
  const InterfaceMotion rest{target.displacement - part.displacement,
                             target.velocity - part.velocity,
                             target.acceleration - part.acceleration};
  return compensator_->command(frame_.to_actuators(rest), measured, state_.command) +
         frame_.to_actuators(feedforward_.command_at(tick));
}

/// Updates the commanded path of the interface in this tick.
/// @param beside  what the command has beside the one that is wanted, after a rest
void ControlChain::follow_path(const InterfaceMotion& target,
                               const ActuatorVector& beside) noexcept {
  if (left_out_) {
    inertia_.leap(target.displacement, target.velocity, target.acceleration);
  } else if (beside.isZero(0.0)) {
    inertia_.pass(target.displacement);
  } else {
    inertia_.pass(frame_.to_interface(ActuatorVector(state_.stroke + beside)));
  }
  left_out_ = false;
}

void ControlChain::report(StepResponse& response) const noexcept {
  const Measurement seen = state_.mean.of(rig_.sensed());
  response.measured_at = rig_.state().sensed_at;
  response.measured = frame_.to_interface(seen.displacement);
  const Eigen::Index controlled = frame_.interface_dofs();
  response.force.resize(controlled + reactions_);
  response.force.head(controlled) =
      frame_.force_to_interface(seen.force, seen.displacement);
  response.force.tail(reactions_) = seen.force_only.head(reactions_);
  inertia_.take_out(response.force);
  response.actuators.target = state_.stroke;
  response.actuators.command = state_.command;
  response.actuators.measured = seen.displacement;
  response.actuators.force = seen.force;
  estimate(*compensator_, frame_.actuators(), response.actuators);
}

void ControlChain::save_blocks(SnapshotWriter& snapshot) const {
  compensator_->save(snapshot);
  controller_->save(snapshot);
  motion_->save(snapshot);
  feedforward_.save(snapshot);
  inertia_.save(snapshot);
  bumpless_.save(snapshot);
  drive_bumpless_.save(snapshot);
  gate_.save(snapshot);
  energy_.save(snapshot);
}

void ControlChain::restore_blocks(SnapshotReader& snapshot) {
  compensator_->restore(snapshot);
  controller_->restore(snapshot);
  motion_->restore(snapshot);
  feedforward_.restore(snapshot);
  inertia_.restore(snapshot);
  bumpless_.restore(snapshot);
  drive_bumpless_.restore(snapshot);
  coasting_.cancel();  // no state is saved behind the last step
  gate_.restore(snapshot);
  energy_.restore(snapshot);
}

}  // namespace trestle::site_node
