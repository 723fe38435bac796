#include "numerical/structure/planar_member_law.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace trestle::structure {
namespace {

using PlanarEnds = Eigen::Matrix<double, 6, 1>;

/// Within a half turn.
double nearest_turn(double angle) noexcept {
  return std::remainder(angle, 2.0 * std::numbers::pi);
}

}  // namespace

PlanarMemberLaw::PlanarMemberLaw(double length, ChordMotion chord,
                                 std::unique_ptr<BasicResponse> response)
    : MemberLaw(6), length_(length), chord_(chord), response_(std::move(response)) {
  begin();
}

void PlanarMemberLaw::respond(const Vector& ends, Vector& force, Matrix& tangent) noexcept {
  const double along = ends[3] - ends[0];
  const double across = ends[4] - ends[1];
  double length = length_;
  double turn = across / length_;
  double elongation = along;
  if (chord_ == ChordMotion::kCorotational) {
    length = std::hypot(length_ + along, across);
    turn = std::atan2(across, length_ + along);
    // l − L without a difference of nearly equal numbers.
    elongation = (along * (2.0 * length_ + along) + across * across) / (length + length_);
    cosine_ = (length_ + along) / length;
    sine_ = across / length;
  }
  const auto against_chord = [&](double rotation) {
    return chord_ == ChordMotion::kCorotational ? nearest_turn(rotation - turn)
                                                : rotation - turn;
  };
  Eigen::Vector3d basic;
  Eigen::Matrix3d stiffness;
  turn_ = {against_chord(ends[2]), against_chord(ends[5])};
  bend_ = ends[5] - ends[2];
  response_->respond({elongation, turn_[0], turn_[1]}, basic, stiffness);
  PlanarEnds r;
  PlanarEnds z;
  r << -cosine_, -sine_, 0.0, cosine_, sine_, 0.0;
  z << sine_, -cosine_, 0.0, -sine_, cosine_, 0.0;
  Eigen::Matrix<double, 3, 6> B;
  B.row(0) = r.transpose();
  B.row(1) = B.row(2) = -z.transpose() / length;
  B(1, 2) += 1.0;
  B(2, 5) += 1.0;
  force = B.transpose() * basic;
  Eigen::Matrix<double, 6, 6> whole = B.transpose() * stiffness * B;
  if (chord_ == ChordMotion::kCorotational) {
    const double moments = (basic[1] + basic[2]) / (length * length);
    whole += basic[0] / length * z * z.transpose() +
             moments * (r * z.transpose() + z * r.transpose());
  }
  tangent = whole;
  if (lost_) force.setConstant(std::numeric_limits<double>::quiet_NaN());
}

void PlanarMemberLaw::commit() noexcept {
  response_->commit();
  if (chord_ == ChordMotion::kSmall) return;
  // Beyond half a turn a rotation is taken from the other side: it jumps by a whole turn.
  // If one end alone is beyond, the bend between the ends tells it without a memory.
  const double most = std::numbers::pi;
  const bool apart = std::abs(bend_ - (turn_[1] - turn_[0])) > most;
  const bool jumped = last_turn_ && (std::abs(turn_[0] - (*last_turn_)[0]) > most ||
                                     std::abs(turn_[1] - (*last_turn_)[1]) > most);
  lost_ = lost_ || apart || jumped;
  last_turn_ = turn_;
}

Eigen::Matrix3d PlanarMemberLaw::turned() const noexcept {
  Eigen::Matrix3d axes;
  axes << cosine_, sine_, 0.0, -sine_, cosine_, 0.0, 0.0, 0.0, 1.0;
  return axes;
}

void PlanarMemberLaw::reset_memory() noexcept {
  cosine_ = 1.0;
  sine_ = 0.0;
  turn_ = {};
  bend_ = 0.0;
  last_turn_ = turn_;
  lost_ = false;
  response_->reset();
}

void PlanarMemberLaw::save_memory(SnapshotWriter& snapshot) const {
  // A member that has lost its sense has no direction: so snapshots keep their size.
  snapshot(lost_ ? std::numeric_limits<double>::quiet_NaN() : cosine_, sine_);
  response_->save(snapshot);
}

void PlanarMemberLaw::restore_memory(SnapshotReader& snapshot) {
  snapshot(cosine_, sine_);
  lost_ = std::isnan(cosine_);
  last_turn_.reset();
  response_->restore(snapshot);
}

}  // namespace trestle::structure
