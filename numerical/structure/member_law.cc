#include "numerical/structure/member_law.h"

namespace trestle::structure {

MemberLaw::MemberLaw(Eigen::Index coordinates)
    : initial_(Matrix::Zero(coordinates, coordinates)),
      beyond_(Vector::Zero(coordinates)),
      tangent_(initial_) {}

void MemberLaw::begin() noexcept {
  Matrix tangent = initial_;
  const Vector at_rest = Vector::Zero(beyond_.size());
  respond(at_rest, beyond_, tangent);
  // Symmetric to the last bit, as the structure's matrix is.
  for (Eigen::Index i = 0; i < tangent.rows(); ++i)
    for (Eigen::Index j = 0; j < tangent.cols(); ++j)
      initial_(i, j) = 0.5 * (tangent(i, j) + tangent(j, i));
  reset();
}

void MemberLaw::trial(const Vector& ends) noexcept {
  respond(ends, beyond_, tangent_);
  beyond_.noalias() -= initial_.lazyProduct(ends);
  tangent_ -= initial_;
}

void MemberLaw::reset() noexcept {
  beyond_.setZero();
  tangent_.setZero();
  reset_memory();
}

void MemberLaw::save(SnapshotWriter& snapshot) const {
  snapshot.add(beyond_);
  save_memory(snapshot);
}

void MemberLaw::restore(SnapshotReader& snapshot) {
  snapshot.fill(beyond_);
  restore_memory(snapshot);
}

}  // namespace trestle::structure
