#include "studies/pushover/specimen_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/snapshot.h"

namespace trestle::pushover {
namespace {

constexpr double kPeriod = 1.0;  // any: nothing moves in time

std::vector<double> state_of(const SpecimenModel& specimen) {
  SnapshotWriter snapshot;
  specimen.save(snapshot);
  return snapshot.values();
}

}  // namespace

SpecimenLaw::SpecimenLaw(std::unique_ptr<SpecimenModel> specimen,
                         const Eigen::MatrixXd& stiffness, const Vector& zero)
    : MemberLaw(zero.size()),
      specimen_(std::move(specimen)),
      stiffness_(stiffness),
      zero_(zero),
      offset_(stiffness * zero),
      ends_(zero) {
  specimen_->prepare(kPeriod);
  state_ = state_of(*specimen_);
  begin();
  begun_ = true;
}

InterfaceVector SpecimenLaw::moved_to(const Vector& ends) {
  SnapshotReader state(state_);
  specimen_->restore(state);
  return specimen_->move_statically(ends - zero_);
}

/// f = r(u − zero) + K₀·zero, r the specimen's own force.
void SpecimenLaw::respond(const Vector& ends, Vector& force, Matrix& tangent) noexcept {
  if (!begun_) {  // K₀ is the structure's own, to the last bit
    force.setZero();
    tangent = stiffness_;
    return;
  }
  constexpr double kPart = 1e-7;  // of the displacement: half of a double's digits
  constexpr double kLeast = 1e-9;
  ends_ = ends;
  const Vector here = moved_to(ends);
  Vector beside = ends;
  for (Eigen::Index j = 0; j < ends.size(); ++j) {
    const double step = std::max(kLeast, kPart * std::abs(ends[j]));
    beside[j] = ends[j] + step;
    tangent.col(j) = (moved_to(beside) - here) / (beside[j] - ends[j]);
    beside[j] = ends[j];
  }
  const Matrix other = tangent.transpose();
  tangent = 0.5 * (tangent + other);
  force = here + offset_;
}

void SpecimenLaw::commit() noexcept {
  moved_to(ends_);
  state_ = state_of(*specimen_);
}

}  // namespace trestle::pushover
