#include "numerical/structure/planar_member_law.h"

#include <cmath>
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
  response_->respond({elongation, against_chord(ends[2]), against_chord(ends[5])}, basic,
                     stiffness);
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
}

Eigen::Matrix3d PlanarMemberLaw::turned() const noexcept {
  Eigen::Matrix3d axes;
  axes << cosine_, sine_, 0.0, -sine_, cosine_, 0.0, 0.0, 0.0, 1.0;
  return axes;
}

void PlanarMemberLaw::reset_memory() noexcept {
  cosine_ = 1.0;
  sine_ = 0.0;
  response_->reset();
}

void PlanarMemberLaw::save_memory(SnapshotWriter& snapshot) const {
  snapshot(cosine_, sine_);
  response_->save(snapshot);
}

void PlanarMemberLaw::restore_memory(SnapshotReader& snapshot) {
  snapshot(cosine_, sine_);
  response_->restore(snapshot);
}

}  // namespace trestle::structure
