#include "numerical/bridge/train.h"

#include <cmath>
#include <utility>

namespace trestle::bridge {
namespace {

using Eigen::Index;

/// A x = b of the leading part of A by elimination with partial pivoting, in place.
void solve_leading(Eigen::MatrixXd& A, Eigen::VectorXd& b, Index size) noexcept {
  for (Index k = 0; k < size; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < size; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    if (pivot != k) {
      for (Index j = k; j < size; ++j) std::swap(A(k, j), A(pivot, j));
      std::swap(b[k], b[pivot]);
    }
    for (Index i = k + 1; i < size; ++i) {
      const double part = A(i, k) / A(k, k);
      if (part == 0.0) continue;
      for (Index j = k + 1; j < size; ++j) A(i, j) -= part * A(k, j);
      b[i] -= part * b[k];
    }
  }
  for (Index i = size; i-- > 0;) {
    for (Index j = i + 1; j < size; ++j) b[i] -= A(i, j) * b[j];
    b[i] /= A(i, i);
  }
}

}  // namespace

Train::Train(std::vector<TrainContact> contacts, const std::vector<TrainVehicle>& vehicles,
             const ModeShapes& shapes, const TrackProfile* track, double speed, double step)
    : contacts_(std::move(contacts)),
      wheels_(vehicles.size()),
      shapes_(shapes),
      track_(track),
      speed_(speed),
      values_(contacts_.size(), shapes.room()),
      motions_(contacts_.size()),
      forces_(Eigen::VectorXd::Zero(static_cast<Index>(contacts_.size()))),
      active_(contacts_.size()) {
  for (const TrainVehicle& vehicle : vehicles) {
    vehicles_.emplace_back(vehicle.settings, step);
    gathered_.emplace_back(Eigen::VectorXd::Zero(3 * vehicle.settings.contacts));
  }
  std::size_t coupled = 0;
  for (std::size_t i = 0; i < wheels_.size(); ++i)
    wheels_[i].resize(static_cast<std::size_t>(vehicles[i].settings.contacts));
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const TrainContact& contact = contacts_[i];
    if (contact.vehicle < 0) continue;
    ++coupled;
    wheels_[static_cast<std::size_t>(contact.vehicle)]
           [static_cast<std::size_t>(contact.of_vehicle)] = i;
  }
  matrix_ = Eigen::MatrixXd::Zero(static_cast<Index>(coupled), static_cast<Index>(coupled));
  right_ = Eigen::VectorXd::Zero(static_cast<Index>(coupled));
}

void Train::reset(double front) noexcept {
  front_ = front;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    values_[i].count = 0;
    const TrackPoint r = track(i);
    motions_[i] = {r.height, speed_ * r.slope, speed_ * speed_ * r.curvature};
  }
  forces_.setZero();
  for (std::size_t i = 0; i < vehicles_.size(); ++i) {
    gather(i);
    vehicles_[i].reset(gathered_[i]);
    for (std::size_t c = 0; c < wheels_[i].size(); ++c)
      forces_[static_cast<Index>(wheels_[i][c])] =
          vehicles_[i].force()[static_cast<Index>(c)];
  }
}

void Train::advance(ModalResponse& bridge, double front,
                    const Eigen::VectorXd& told) noexcept {
  front_ = front;
  bridge.begin();
  for (LinearVehicle& vehicle : vehicles_) vehicle.begin();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto at = static_cast<Index>(i);
    shapes_.at(place(i), values_[i]);
    bridge.add(values_[i], contacts_[i].weight + told[at]);
  }
  find_motions(bridge);
  couple(bridge);
  if (active_count_ > 0) find_motions(bridge);
  forces_ = told;
  for (std::size_t i = 0; i < vehicles_.size(); ++i) {
    gather(i);
    vehicles_[i].end(gathered_[i]);
    for (std::size_t c = 0; c < wheels_[i].size(); ++c)
      forces_[static_cast<Index>(wheels_[i][c])] +=
          vehicles_[i].force()[static_cast<Index>(c)];
  }
}

void Train::find_motions(const ModalResponse& bridge) noexcept {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const TrackPoint r = track(i);
    const Deflection w = bridge.at(values_[i], speed_);
    motions_[i] = {r.height - w.displacement, speed_ * r.slope - w.velocity,
                   speed_ * speed_ * r.curvature - w.acceleration};
  }
}

void Train::gather(std::size_t vehicle) noexcept {
  const auto n = static_cast<Index>(wheels_[vehicle].size());
  for (Index c = 0; c < n; ++c) {
    const WheelMotion& motion = motions_[wheels_[vehicle][static_cast<std::size_t>(c)]];
    gathered_[vehicle][c] = motion.displacement;
    gathered_[vehicle][n + c] = motion.velocity;
    gathered_[vehicle][2 * n + c] = motion.acceleration;
  }
}

/// f = f₀ + H·(u − G·f) over the wheels on the bridge, u their motion without f.
void Train::couple(ModalResponse& bridge) noexcept {
  active_count_ = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (contacts_[i].vehicle >= 0 && values_[i].count > 0) active_[active_count_++] = i;
  if (active_count_ == 0) return;
  for (std::size_t i = 0; i < vehicles_.size(); ++i) gather(i);
  const auto size = static_cast<Index>(active_count_);
  for (std::size_t a = 0; a < active_count_; ++a) {
    const TrainContact& contact = contacts_[active_[a]];
    const auto vehicle = static_cast<std::size_t>(contact.vehicle);
    right_[static_cast<Index>(a)] =
        vehicles_[vehicle].free_force()[contact.of_vehicle] +
        vehicles_[vehicle].force_jacobian().row(contact.of_vehicle).dot(gathered_[vehicle]);
  }
  matrix_.topLeftCorner(size, size).setIdentity();
  for (Index c = 0; c < size; ++c) {
    const std::size_t moved = active_[static_cast<std::size_t>(c)];
    const TrainContact& at = contacts_[moved];
    const LinearVehicle& vehicle = vehicles_[static_cast<std::size_t>(at.vehicle)];
    const Eigen::MatrixXd& H = vehicle.force_jacobian();
    const Index n = vehicle.contacts();
    for (Index b = 0; b < size; ++b) {
      const Deflection G = bridge.compliance(values_[moved], speed_,
                                             values_[active_[static_cast<std::size_t>(b)]]);
      for (Index a = 0; a < size; ++a) {
        const TrainContact& felt = contacts_[active_[static_cast<std::size_t>(a)]];
        if (felt.vehicle != at.vehicle) continue;
        const Index row = felt.of_vehicle;
        matrix_(a, b) += H(row, at.of_vehicle) * G.displacement +
                         H(row, n + at.of_vehicle) * G.velocity +
                         H(row, 2 * n + at.of_vehicle) * G.acceleration;
      }
    }
  }
  solve_leading(matrix_, right_, size);
  for (std::size_t a = 0; a < active_count_; ++a)
    bridge.add(values_[active_[a]], right_[static_cast<Index>(a)]);
}

void Train::save(SnapshotWriter& snapshot) const {
  snapshot.add(front_);
  snapshot.add(forces_);
  for (const WheelMotion& motion : motions_)
    snapshot.add(
        Eigen::Vector3d(motion.displacement, motion.velocity, motion.acceleration));
  for (const LinearVehicle& vehicle : vehicles_) vehicle.save(snapshot);
}

void Train::restore(SnapshotReader& snapshot) {
  front_ = snapshot.next();
  snapshot.fill(forces_);
  for (WheelMotion& motion : motions_)
    motion = {snapshot.next(), snapshot.next(), snapshot.next()};
  for (LinearVehicle& vehicle : vehicles_) vehicle.restore(snapshot);
}

}  // namespace trestle::bridge
