#include "adapters/simulated/simulated_rig.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace trestle::simulated {

SimulatedRig::SimulatedRig(const std::string& site, RigDescription description,
                           SimulatedRigParts parts)
    : description_(std::move(description)),
      actuators_(std::move(parts.actuators)),
      specimen_(std::move(parts.specimen)),
      frame_(std::move(parts.frame)),
      noise_(std::move(parts.noise)),
      feels_(parts.input),
      estimator_(std::move(parts.estimator)),
      dropout_(parts.dropout),
      stream_(stream_id(site)),
      drive_(ActuatorVector::Zero(actuators_->actuators())),
      stroke_(ActuatorMotion::zero(drive_.size())),
      force_(ActuatorVector::Zero(drive_.size())),
      reaction_(InterfaceVector::Zero(description_.reactions)),
      acceleration_(InterfaceVector::Zero(frame_->interface_dofs())) {
  assert(frame_->actuators() == actuators_->actuators());
  assert(frame_->interface_dofs() + description_.reactions == specimen_->dofs());
  if (noise_.displacement.size() == 0) noise_.displacement.setZero(drive_.size());
  if (noise_.force.size() == 0) noise_.force.setZero(drive_.size());
  noise_.sequences.resize(static_cast<std::size_t>(drive_.size()));
  sequences_ = noise_.sequences;
}

void SimulatedRig::prepare(const RigRun& run) {
  run_ = run;
  actuators_->prepare(run.tick);
  specimen_->prepare(run.tick);
  if (estimator_) estimator_->prepare(run.tick);
  if (dropout_) dropout_->prepare(run.tick, drive_.size());
  opened_ = false;
  drive_.setZero();
  stroke_ = ActuatorMotion::zero(drive_.size());
  force_.setZero();
  reaction_.setZero();
  acceleration_.setZero();
  sequences_ = noise_.sequences;
}

AdapterStatus SimulatedRig::read(TimePoint now, Measurement& sensed) noexcept {
  assert(run_.tick > 0.0);
  if (opened_) actuators_->advance(drive_, stroke_);
  const RandomKey place = place_of(now);
  sensed.displacement = stroke_.displacement;
  add_displacement_noise(place, sensed.displacement);
  if (dropout_) dropout_->pass_displacement(sensed.displacement);
  if (feels_ == SpecimenInput::kMeasuredDisplacement)
    load_specimen({estimated(sensed.displacement), stroke_.velocity, stroke_.acceleration});
  else if (opened_)
    load_specimen(stroke_);
  opened_ = true;
  sensed.force = force_;
  sensed.force_only = reaction_;
  add_force_noise(place, sensed.force);
  if (dropout_) dropout_->pass_force(sensed.force);
  return AdapterStatus::kOk;
}

AdapterStatus SimulatedRig::write(const ActuatorVector& drive) noexcept {
  assert(drive.size() == drive_.size());
  drive_ = drive;
  return AdapterStatus::kOk;
}

/// @pre opened_ tells whether a drive was held since the last read
ActuatorVector SimulatedRig::estimated(const ActuatorVector& read) noexcept {
  if (!estimator_) return read;
  if (opened_) estimator_->advance(drive_);
  return estimator_->estimate(read);
}

void SimulatedRig::load_specimen(const ActuatorMotion& felt) noexcept {
  const InterfaceMotion moved = frame_->to_interface(felt);
  const Eigen::Index controlled = moved.displacement.size();
  acceleration_ = moved.acceleration;
  InterfaceMotion motion = InterfaceMotion::zero(specimen_->dofs());
  motion.displacement.head(controlled) = moved.displacement;
  motion.velocity.head(controlled) = moved.velocity;
  motion.acceleration.head(controlled) = moved.acceleration;
  const InterfaceVector force =
      specimen_->advance(motion.displacement, motion.velocity, motion.acceleration);
  force_ = frame_->force_to_actuators(force.head(controlled), felt.displacement);
  reaction_ = force.tail(reaction_.size());
}

RandomKey SimulatedRig::place_of(TimePoint now) const noexcept {
  return {.seed = run_.seed,
          .stream = stream_,
          .channel = 0,
          .index = static_cast<std::uint64_t>(
              std::llround(seconds(now.time_since_epoch()) / run_.tick))};
}

void SimulatedRig::add_displacement_noise(RandomKey place,
                                          ActuatorVector& displacement) noexcept {
  for (Eigen::Index i = 0; i < drive_.size(); ++i) {
    place.channel = 2 * static_cast<std::uint64_t>(i);
    std::optional<math::ParkMillerGenerator>& sequence =
        sequences_[static_cast<std::size_t>(i)];
    if (sequence)
      displacement(i) += noise_.displacement(i) * sequence->next();
    else if (noise_.displacement(i) > 0.0)
      displacement(i) += noise_.displacement(i) * standard_normal(place);
  }
}

void SimulatedRig::add_force_noise(RandomKey place, ActuatorVector& force) const noexcept {
  for (Eigen::Index i = 0; i < drive_.size(); ++i) {
    place.channel = 2 * static_cast<std::uint64_t>(i) + 1;
    if (noise_.force(i) > 0.0) force(i) += noise_.force(i) * standard_normal(place);
  }
}

void SimulatedRig::save(SnapshotWriter& snapshot) const {
  snapshot.add(opened_ ? 1.0 : 0.0);
  snapshot.add(drive_);
  snapshot.add(stroke_.displacement);
  snapshot.add(stroke_.velocity);
  snapshot.add(stroke_.acceleration);
  snapshot.add(force_);
  snapshot.add(reaction_);
  for (const std::optional<math::ParkMillerGenerator>& sequence : sequences_)
    if (sequence) sequence->save(snapshot);
  actuators_->save(snapshot);
  specimen_->save(snapshot);
  if (estimator_) estimator_->save(snapshot);
  if (dropout_) dropout_->save(snapshot);
}

void SimulatedRig::restore(SnapshotReader& snapshot) {
  opened_ = snapshot.next() != 0.0;
  snapshot.fill(drive_);
  snapshot.fill(stroke_.displacement);
  snapshot.fill(stroke_.velocity);
  snapshot.fill(stroke_.acceleration);
  snapshot.fill(force_);
  snapshot.fill(reaction_);
  for (std::optional<math::ParkMillerGenerator>& sequence : sequences_)
    if (sequence) sequence->restore(snapshot);
  actuators_->restore(snapshot);
  specimen_->restore(snapshot);
  if (estimator_) estimator_->restore(snapshot);
  if (dropout_) dropout_->restore(snapshot);
}

}  // namespace trestle::simulated
