#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/integration/newton_forces.h"
#include "numerical/structure/structural_model.h"

namespace trestle::substructure {

/// Forces of nonlinear springs and hinges at the end of a step, for the record. A scheme
/// that takes a force at the predicted deformation carries it with the initial stiffness
/// to where the step ends, and so does this.
class SpringForces {
 public:
  SpringForces() = default;
  explicit SpringForces(const structure::StructuralModel& structure);

  bool empty() const noexcept { return springs_.empty(); }

  /// Keeps the force of a spring at its predicted deformation. Does not allocate.
  void predicted(std::size_t spring, double elongation, double force) noexcept {
    predicted_[static_cast<Eigen::Index>(spring)] = elongation;
    force_[static_cast<Eigen::Index>(spring)] = force;
  }

  double elongation(std::size_t spring,
                    const Eigen::VectorXd& displacement) const noexcept {
    return structure::motion_of(springs_[spring].elongation, displacement);
  }
  /// @param iterated  of a scheme that finds the forces at the end of the step; or null
  double force(std::size_t spring, const Eigen::VectorXd& displacement,
               const integration::NewtonForces* iterated) const noexcept;

  void save(SnapshotWriter& snapshot) const { snapshot(predicted_, force_); }
  void restore(SnapshotReader& snapshot) { snapshot(predicted_, force_); }

 private:
  struct Spring {
    structure::DofTerms elongation;
    double initial_stiffness;
  };

  std::vector<Spring> springs_;
  Eigen::VectorXd predicted_;
  Eigen::VectorXd force_;
};

}  // namespace trestle::substructure
