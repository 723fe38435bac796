#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "core/types/interface_vector.h"

namespace trestle {

/// A simulated specimen, in the interface coordinates of its site: the controlled DOFs
/// first, then the force-only ones.
///
/// Used by simulated rigs, and by the undivided reference structure. No actuator of a rig
/// moves a force-only DOF: there the motion is zero, and the force is what holds the
/// specimen so. In the undivided reference it moves as the structure does. (A specimen may
/// know better how such a DOF follows the controlled ones, and ignore what it is told.)
class SpecimenModel {
 public:
  virtual ~SpecimenModel() = default;

  virtual int dofs() const noexcept = 0;

  /// Tangent at rest, for stability limits, mechanisms and integrators [N/m, N, N·m/rad].
  virtual Eigen::MatrixXd initial_stiffness() const = 0;
  /// The part of it that cannot yield.
  virtual Eigen::MatrixXd elastic_stiffness() const { return initial_stiffness(); }
  /// Viscous damping and mass as felt at the interface; zero where there is none.
  virtual Eigen::MatrixXd damping() const = 0;
  virtual Eigen::MatrixXd mass() const = 0;
  /// Force at the interface per unit of ground acceleration, inner masses included, as long
  /// as it moves slowly [kg].
  /// @param influence  what its DOFs move by as the ground does: rows of them, a column for
  ///                   each direction, x and y
  virtual Eigen::MatrixXd base_mass(const Eigen::MatrixXd& influence) const {
    return mass() * influence;
  }

  /// Before a run: back to rest, and from now on in steps of `period`.
  virtual void prepare(double period) = 0;

  /// Moves the specimen on by one period, to the given motion.
  /// @returns force needed to hold it there: +K·d [N | N·m]
  virtual InterfaceVector advance(const InterfaceVector& displacement,
                                  const InterfaceVector& velocity,
                                  const InterfaceVector& acceleration) noexcept = 0;

  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
