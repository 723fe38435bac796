#include "adapters/simulated/simulated_rig.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <cassert>
#include <cmath>

#include "core/linear/random.h"

namespace trestle {
namespace {

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& matrix) {
  if (matrix.isIdentity(0.0)) return matrix;
  if (matrix.rows() == matrix.cols()) return matrix.partialPivLu().inverse();
  return matrix.completeOrthogonalDecomposition().pseudoInverse();
}

}  // namespace

SimulatedRig::SimulatedRig(const std::string& site, RigDescription description,
                           std::unique_ptr<ActuatorModel> actuators,
                           std::unique_ptr<SpecimenModel> specimen,
                           const Eigen::MatrixXd& actuator_from_interface,
                           const SensorNoise& noise)
    : description_(std::move(description)),
      actuators_(std::move(actuators)),
      specimen_(std::move(specimen)),
      interface_from_actuator_(pseudo_inverse(actuator_from_interface)),
      force_to_actuator_(interface_from_actuator_.transpose()),
      noise_(noise),
      stream_(random_stream(site)),
      drive_(ActuatorVector::Zero(actuators_->actuators())),
      stroke_(Stroke::zero(drive_.size())),
      sensed_(Sensed::zero(drive_.size())) {
  assert(actuator_from_interface.rows() == actuators_->actuators());
  assert(actuator_from_interface.cols() == specimen_->dofs());
  if (noise_.displacement.size() == 0) noise_.displacement.setZero(drive_.size());
  if (noise_.force.size() == 0) noise_.force.setZero(drive_.size());
}

void SimulatedRig::prepare(const RigRun& run) {
  run_ = run;
  actuators_->prepare(run.tick);
  specimen_->prepare(run.tick);
  opened_ = false;
  drive_.setZero();
  stroke_ = Stroke::zero(drive_.size());
  sensed_ = Sensed::zero(drive_.size());
}

AdapterStatus SimulatedRig::read(TimePoint now, Sensed& sensed) noexcept {
  assert(run_.tick > 0.0);
  if (opened_) advance();
  opened_ = true;
  sensed = sensed_;
  add_noise(now, sensed);
  return AdapterStatus::kOk;
}

AdapterStatus SimulatedRig::write(const ActuatorVector& drive) noexcept {
  assert(drive.size() == drive_.size());
  drive_ = drive;
  return AdapterStatus::kOk;
}

void SimulatedRig::advance() noexcept {
  actuators_->advance(drive_, stroke_);
  const Eigen::Index dofs = interface_from_actuator_.rows();
  InterfaceVector displacement(dofs);
  InterfaceVector velocity(dofs);
  InterfaceVector acceleration(dofs);
  displacement.noalias() = interface_from_actuator_.lazyProduct(stroke_.displacement);
  velocity.noalias() = interface_from_actuator_.lazyProduct(stroke_.velocity);
  acceleration.noalias() = interface_from_actuator_.lazyProduct(stroke_.acceleration);
  const InterfaceVector force = specimen_->advance(displacement, velocity, acceleration);
  sensed_.displacement = stroke_.displacement;
  sensed_.force.noalias() = force_to_actuator_.lazyProduct(force);
}

void SimulatedRig::add_noise(TimePoint now, Sensed& sensed) const noexcept {
  RandomPlace place{.seed = run_.seed,
                    .stream = stream_,
                    .channel = 0,
                    .index = static_cast<std::uint64_t>(
                        std::llround(seconds(now.time_since_epoch()) / run_.tick))};
  for (Eigen::Index i = 0; i < drive_.size(); ++i) {
    place.channel = 2 * static_cast<std::uint64_t>(i);
    if (noise_.displacement(i) > 0.0)
      sensed.displacement(i) += noise_.displacement(i) * standard_normal(place);
    ++place.channel;
    if (noise_.force(i) > 0.0) sensed.force(i) += noise_.force(i) * standard_normal(place);
  }
}

void SimulatedRig::save(SnapshotWriter& snapshot) const {
  snapshot.add(opened_ ? 1.0 : 0.0);
  snapshot.add(drive_);
  snapshot.add(stroke_.displacement);
  snapshot.add(stroke_.velocity);
  snapshot.add(stroke_.acceleration);
  snapshot.add(sensed_.displacement);
  snapshot.add(sensed_.force);
  actuators_->save(snapshot);
  specimen_->save(snapshot);
}

void SimulatedRig::restore(SnapshotReader& snapshot) {
  opened_ = snapshot.next() != 0.0;
  snapshot.fill(drive_);
  snapshot.fill(stroke_.displacement);
  snapshot.fill(stroke_.velocity);
  snapshot.fill(stroke_.acceleration);
  snapshot.fill(sensed_.displacement);
  snapshot.fill(sensed_.force);
  actuators_->restore(snapshot);
  specimen_->restore(snapshot);
}

}  // namespace trestle
