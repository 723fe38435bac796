#include "numerical/structure/spatial_member_law.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

#include "numerical/structure/finite_rotation.h"

namespace trestle::structure {
namespace {

constexpr std::array<Eigen::Index, 2> kMove{0, 6};  // where displacements begin
constexpr std::array<Eigen::Index, 2> kTurn{3, 9};  // where rotations begin

}  // namespace

SpatialMemberLaw::SpatialMemberLaw(double length, ChordMotion chord,
                                   std::unique_ptr<SpatialResponse> response)
    : MemberLaw(12), length_(length), chord_(chord), response_(std::move(response)) {
  by_vector_.fill(Eigen::Matrix3d::Identity());
  turn_.fill(Eigen::Vector3d::Zero());
  last_turn_ = turn_;
  begin();
}

SpatialMemberLaw::Moved SpatialMemberLaw::at_rest(double length) noexcept {
  Moved moved;
  moved.length = length;
  moved.mark.fill(Eigen::Vector3d::UnitY());
  moved.turn.fill(Eigen::Vector3d::Zero());
  moved.vector.fill(Eigen::Matrix3d::Identity());
  moved.mean = Eigen::Vector3d::UnitY();
  find_spins(moved);
  return moved;
}

SpatialMemberLaw::Moved SpatialMemberLaw::move(const Ends& ends) noexcept {
  Moved moved;
  const Eigen::Vector3d change = ends.segment<3>(6) - ends.segment<3>(0);
  const Eigen::Vector3d chord = change + length_ * Eigen::Vector3d::UnitX();
  moved.length = chord.norm();
  // l − L without a difference of nearly equal numbers.
  moved.elongation =
      (2.0 * length_ * change.x() + change.squaredNorm()) / (moved.length + length_);
  std::array<Eigen::Matrix3d, kEnds> triads;
  largest_ = 0.0;
  for (std::size_t i = 0; i < kEnds; ++i) {
    const Eigen::Vector3d vector = ends.segment<3>(kTurn[i]);
    largest_ = std::max(largest_, vector.norm());
    triads[i] = rotation_matrix(vector);
    by_vector_[i] = spin_by_vector(vector);
  }
  const Eigen::Vector3d mean = 0.5 * (triads[0].col(1) + triads[1].col(1));
  const Eigen::Vector3d x = chord / moved.length;
  const Eigen::Vector3d z = x.cross(mean).normalized();
  axes_ << x.transpose(), z.cross(x).transpose(), z.transpose();
  moved.mean = axes_ * mean;
  for (std::size_t i = 0; i < kEnds; ++i) {
    moved.mark[i] = axes_ * triads[i].col(1);
    moved.turn[i] = rotation_vector(axes_ * triads[i]);
    moved.vector[i] = vector_by_spin(moved.turn[i]);
  }
  turn_ = moved.turn;
  find_spins(moved);
  return moved;
}

void SpatialMemberLaw::find_spins(Moved& moved) noexcept {
  Rows& frame = moved.frame;
  frame.setZero();
  // The chord turns with its ends; the frame about the chord with the marks, the mean of
  // which stays in its x–y plane.
  frame(1, 2) = 1.0 / moved.length;
  frame(1, 8) = -1.0 / moved.length;
  frame(2, 1) = -1.0 / moved.length;
  frame(2, 7) = 1.0 / moved.length;
  const double across = moved.mean.y();
  frame.row(0) = moved.mean.x() / across * frame.row(1);
  for (std::size_t i = 0; i < kEnds; ++i) {
    frame(0, kTurn[i]) += 0.5 * moved.mark[i].y() / across;
    frame(0, kTurn[i] + 1) -= 0.5 * moved.mark[i].x() / across;
  }
  for (std::size_t i = 0; i < kEnds; ++i) {
    moved.spin[i] = -frame;
    moved.spin[i].middleCols<3>(kTurn[i]) += Eigen::Matrix3d::Identity();
  }
}

SpatialMemberLaw::EndsMatrix SpatialMemberLaw::geometric(
    const Moved& moved, const Ends& force, const Eigen::Vector3d& moment) noexcept {
  EndsMatrix tangent = EndsMatrix::Zero();
  // The frame turns the force.
  for (Eigen::Index block = 0; block < 12; block += 3)
    tangent.middleRows<3>(block) = -skew(force.segment<3>(block)) * moved.frame;
  // −δ(frameᵀ)·moment: the length, and the marks seen from the frame.
  Row longer = Row::Zero();
  longer[0] = -1.0;
  longer[6] = 1.0;
  std::array<Rows, kEnds> mark;
  Rows mean = Rows::Zero();
  for (std::size_t i = 0; i < kEnds; ++i) {
    mark[i] = -skew(moved.mark[i]) * moved.spin[i];
    mean += 0.5 * mark[i];
  }
  const double across = moved.mean.y();
  const double ratio = moved.mean.x() / across;
  const Row ratio_by = (mean.row(0) - ratio * mean.row(1)) / across;
  const Row inverse_by = -longer / (moved.length * moved.length);
  const Row shear_y = -moment.z() * inverse_by;
  const Row shear_z =
      (ratio * moment.x() + moment.y()) * inverse_by + moment.x() / moved.length * ratio_by;
  tangent.row(1) -= shear_y;
  tangent.row(7) += shear_y;
  tangent.row(2) -= shear_z;
  tangent.row(8) += shear_z;
  for (std::size_t i = 0; i < kEnds; ++i) {
    const double half = 0.5 * moment.x() / across;
    tangent.row(kTurn[i]) -=
        half * (mark[i].row(1) - moved.mark[i].y() / across * mean.row(1));
    tangent.row(kTurn[i] + 1) +=
        half * (mark[i].row(0) - moved.mark[i].x() / across * mean.row(1));
  }
  return tangent;
}

SpatialMemberLaw::BasicByEnds SpatialMemberLaw::by_spins(const Moved& moved) noexcept {
  BasicByEnds B = BasicByEnds::Zero();
  B(0, 0) = -1.0;
  B(0, 6) = 1.0;
  B.middleRows<3>(1) = moved.vector[0] * moved.spin[0];
  B.middleRows<3>(4) = moved.vector[1] * moved.spin[1];
  return B;
}

void SpatialMemberLaw::respond_small(const Vector& ends, Vector& force,
                                     Matrix& tangent) noexcept {
  const Ends at = ends;
  const BasicByEnds B = by_spins(at_rest(length_));
  SpatialResponse::Vector basic;
  SpatialResponse::Matrix stiffness;
  response_->respond(B * at, basic, stiffness);
  force = B.transpose() * basic;
  tangent = B.transpose() * stiffness * B;
}

void SpatialMemberLaw::respond(const Vector& ends, Vector& force,
                               Matrix& tangent) noexcept {
  if (chord_ == ChordMotion::kSmall) return respond_small(ends, force, tangent);
  const Ends at = ends;
  const Moved moved = move(at);
  SpatialResponse::Vector deformation;
  SpatialResponse::Vector basic;
  SpatialResponse::Matrix stiffness;
  deformation << moved.elongation, moved.turn[0], moved.turn[1];
  response_->respond(deformation, basic, stiffness);
  // The moments on the ends in the axes of the frame, and how S⁻¹ changes them.
  const BasicByEnds B = by_spins(moved);
  std::array<Eigen::Matrix3d, kEnds> material;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < kEnds; ++i) {
    const Eigen::Vector3d own = basic.segment<3>(i == 0 ? 1 : 4);
    material[i] = derivative_of_inverse_spin(moved.turn[i], own) * moved.vector[i];
    moment += moved.vector[i].transpose() * own;
  }
  const Ends local = B.transpose() * basic;
  EndsMatrix whole = B.transpose() * stiffness * B + geometric(moved, local, moment);
  for (std::size_t i = 0; i < kEnds; ++i)
    whole += moved.spin[i].transpose() * material[i] * moved.spin[i];
  // By u: from the axes of the frame to those at rest, and from spins to vectors.
  EndsMatrix by_ends = EndsMatrix::Zero();
  Ends resting;
  for (std::size_t i = 0; i < kEnds; ++i) {
    by_ends.block<3, 3>(kMove[i], kMove[i]) = axes_;
    by_ends.block<3, 3>(kTurn[i], kTurn[i]) = axes_ * by_vector_[i];
    resting.segment<3>(kTurn[i]) = axes_.transpose() * local.segment<3>(kTurn[i]);
  }
  EndsMatrix by_vectors = by_ends.transpose() * whole * by_ends;
  for (std::size_t i = 0; i < kEnds; ++i)
    by_vectors.block<3, 3>(kTurn[i], kTurn[i]) +=
        derivative_of_spin(at.segment<3>(kTurn[i]), resting.segment<3>(kTurn[i]));
  force = by_ends.transpose() * local;
  // Symmetric but for rounding.
  tangent = 0.5 * (by_vectors + by_vectors.transpose());
  if (lost_) force.setConstant(std::numeric_limits<double>::quiet_NaN());
}

void SpatialMemberLaw::commit() noexcept {
  response_->commit();
  if (chord_ == ChordMotion::kSmall) return;
  // Beyond half a turn a rotation is taken from the other side: its vector jumps by a whole
  // turn, and with twist that of each end by half of one.
  constexpr double kHalf = std::numbers::pi;
  const Eigen::Vector3d start = turn_[0] - last_turn_[0];
  const Eigen::Vector3d end = turn_[1] - last_turn_[1];
  const double jump = std::max({start.norm(), end.norm(), (end - start).norm()});
  lost_ = lost_ || !(largest_ < 2.0 * kHalf) || !(jump < kHalf);
  last_turn_ = turn_;
}

Eigen::Matrix3d SpatialMemberLaw::turned_moment(int end) const noexcept {
  return axes_ * by_vector_[static_cast<std::size_t>(end)].transpose().inverse();
}

void SpatialMemberLaw::reset_memory() noexcept {
  response_->reset();
  axes_.setIdentity();
  by_vector_.fill(Eigen::Matrix3d::Identity());
  turn_.fill(Eigen::Vector3d::Zero());
  last_turn_ = turn_;
  largest_ = 0.0;
  lost_ = false;
}

void SpatialMemberLaw::save_memory(SnapshotWriter& snapshot) const {
  snapshot(axes_, by_vector_, turn_, largest_, last_turn_, lost_);
  response_->save(snapshot);
}

void SpatialMemberLaw::restore_memory(SnapshotReader& snapshot) {
  snapshot(axes_, by_vector_, turn_, largest_, last_turn_, lost_);
  response_->restore(snapshot);
}

}  // namespace trestle::structure
