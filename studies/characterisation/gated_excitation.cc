#include "studies/characterisation/gated_excitation.h"

#include <cassert>
#include <utility>

#include "core/types/interlock.h"

namespace trestle::characterisation {

GatedExcitation::GatedExcitation(const RigLimits& limits, double tick, SiteAdapter& adapter)
    : adapter_(adapter),
      limits_(limits),
      tick_(tick),
      gate_(limits, tick),
      sensed_(Measurement::zero(static_cast<Eigen::Index>(limits.size()),
                                adapter.description().reactions)),
      position_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))),
      drive_(position_) {
  assert(adapter.description().actuators.size() == limits.size());
}

Fault GatedExcitation::open(TimePoint now) noexcept {
  const AdapterStatus status = adapter_.read(now, sensed_);
  if (status != AdapterStatus::kOk) {
    trip({FaultKind::kAdapter, -1, static_cast<double>(status), 0.0});
    return fault_;
  }
  if (is_stopped_by_interlock()) return fault_;
  position_ = drive_in_force();
  if (position_.allFinite()) gate_.reset(position_);
  if (!gate_.watch(sensed_)) trip(gate_.fault());
  drive_ = position_;
  fresh_ = true;
  return fault_;
}

/// A servo that settles short of its command stands elsewhere: from the measurement on the
/// first drive would be a jump.
ActuatorVector GatedExcitation::drive_in_force() const noexcept {
  const ActuatorVector& measured = sensed_.displacement;
  if (const auto said = checks::reported_drive(adapter_.drive_in_force(), measured.size()))
    return *said;
  if (stood_ && checks::still_stands(*stood_, measured, limits_, tick_))
    return stood_->drive;
  return measured;
}

ExerciseRecord GatedExcitation::room_for(const ExcitationSegment& move) const {
  const std::size_t ticks = move.offsets.size();
  const auto actuators = static_cast<std::size_t>(position_.size());
  ExerciseRecord room;
  room.drive = move.offsets;
  room.displacement.assign(actuators, std::vector<double>(ticks, 0.0));
  room.force = room.displacement;
  return room;
}

void GatedExcitation::begin(const ExcitationSegment& move, ExerciseRecord&& room) noexcept {
  assert(move_ == nullptr || next_ == 0 || next_ == move_->offsets.size() || fault_);
  std::swap(record_, room);
  move_ = &move;
  next_ = 0;
}

bool GatedExcitation::stand(TimePoint now) noexcept {
  if (fault_) return false;
  next_ = 0;  // nothing is recorded
  return (fresh_ || read(now)) && drive(position_);
}

bool GatedExcitation::tick(TimePoint now) noexcept {
  assert(move_ != nullptr);
  if (fault_) return false;
  if (!fresh_ && !read(now)) return false;
  if (next_ == move_->offsets.size()) return false;
  drive_ = position_;
  drive_(move_->actuator) += move_->offsets[next_];
  ++next_;
  return drive(drive_);
}

/// Through the gate; the next tick reads what it does.
bool GatedExcitation::drive(const ActuatorVector& wanted) noexcept {
  const ActuatorVector passed = gate_.pass(wanted, sensed_);
  fresh_ = false;
  const AdapterStatus status = adapter_.write(passed);
  if (gate_.fault()) return trip(gate_.fault());
  if (status != AdapterStatus::kOk)
    return trip({FaultKind::kAdapter, -1, static_cast<double>(status), 0.0});
  return true;
}

bool GatedExcitation::read(TimePoint now) noexcept {
  const AdapterStatus status = adapter_.read(now, sensed_);
  if (status != AdapterStatus::kOk)
    return trip({FaultKind::kAdapter, -1, static_cast<double>(status), 0.0});
  if (is_stopped_by_interlock()) return false;
  fresh_ = true;
  for (std::size_t i = 0; next_ > 0 && i < record_.displacement.size(); ++i) {
    record_.displacement[i][next_ - 1] = sensed_.displacement(static_cast<Eigen::Index>(i));
    record_.force[i][next_ - 1] = sensed_.force(static_cast<Eigen::Index>(i));
  }
  return gate_.watch(sensed_) || trip(gate_.fault());
}

/// An input of the rig forbids the next drive.
bool GatedExcitation::is_stopped_by_interlock() noexcept {
  const Fault active = interlock_fault(adapter_.active_interlock());
  if (active) trip(active);
  return static_cast<bool>(active);
}

bool GatedExcitation::trip(const Fault& fault) noexcept {
  if (!fault_) fault_ = fault;
  adapter_.hold();
  return false;
}

}  // namespace trestle::characterisation
