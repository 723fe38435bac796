#pragma once

#include <memory>
#include <vector>

#include "core/ports/specimen_model.h"
#include "numerical/structure/member_law.h"

namespace trestle::pushover {

/// A specimen that moves without inertia, as a member of the structure that is pushed:
/// force by the displacements of its interface, and a tangent by differences. Allocates.
class SpecimenLaw final : public structure::MemberLaw {
 public:
  /// @param specimen   at rest, with at most kMostCoordinates DOFs
  /// @param stiffness  K₀, as the structure has it of the specimen
  /// @param zero       displacements of the structure at which the specimen is at rest
  SpecimenLaw(std::unique_ptr<SpecimenModel> specimen, const Eigen::MatrixXd& stiffness,
              const Vector& zero);

  bool yields() const noexcept override { return true; }
  void commit() noexcept override;

 private:
  void respond(const Vector& ends, Vector& force, Matrix& tangent) noexcept override;
  InterfaceVector moved_to(const Vector& ends);

  std::unique_ptr<SpecimenModel> specimen_;
  Matrix stiffness_;
  Vector zero_;
  Vector offset_;              // K₀·zero
  std::vector<double> state_;  // of the specimen, as it was committed last
  Vector ends_;                // of the latest trial
  bool begun_ = false;
};

}  // namespace trestle::pushover
