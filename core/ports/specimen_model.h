#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "core/types/interface_vector.h"

namespace trestle {

/// A simulated specimen, in the interface coordinates of its site: the controlled DOFs
/// first, then the force-only ones.
///
/// Simulated rigs and the undivided reference structure use it. No actuator moves a
/// force-only DOF: in a rig its motion is zero, and its force holds the specimen there; in
/// the undivided reference it moves with the structure. A specimen may compute the motion
/// of such a DOF from the controlled ones and ignore the given one. Thread: that of the
/// rig. advance() does not allocate.
class SpecimenModel {
 public:
  virtual ~SpecimenModel() = default;

  /// Returns the number of DOFs, controlled and force-only.
  virtual int dofs() const noexcept = 0;

  /// Returns the tangent stiffness at rest, DOFs × DOFs [N/m | N | N·m/rad].
  virtual Eigen::MatrixXd initial_stiffness() const = 0;
  /// Returns the part of initial_stiffness() that cannot yield.
  virtual Eigen::MatrixXd elastic_stiffness() const { return initial_stiffness(); }
  /// Returns the viscous damping at the interface, DOFs × DOFs; zero if none [N·s/m |
  /// N·m·s/rad].
  virtual Eigen::MatrixXd damping() const = 0;
  /// Returns the mass at the interface, DOFs × DOFs; zero if none [kg | kg·m²].
  virtual Eigen::MatrixXd mass() const = 0;
  /// Returns the quasi-static interface force per unit of ground acceleration, inner masses
  /// included, DOFs × directions [kg].
  /// @param influence  motion of the DOFs per unit of ground motion: one row per DOF, one
  ///                   column per direction, x, y and z
  virtual Eigen::MatrixXd base_mass(const Eigen::MatrixXd& influence) const {
    return mass() * influence;
  }

  /// Returns to rest, and sets the period of advance() [s]. Before a run.
  virtual void prepare(double period) = 0;

  /// Advances the specimen by one period, to the given motion.
  /// @param displacement  one entry per DOF [m | rad]
  /// @param velocity      one entry per DOF [m/s | rad/s]
  /// @param acceleration  one entry per DOF [m/s² | rad/s²]
  /// @returns restoring force +K·d, one entry per DOF [N | N·m]
  virtual InterfaceVector advance(const InterfaceVector& displacement,
                                  const InterfaceVector& velocity,
                                  const InterfaceVector& acceleration) noexcept = 0;

  /// Writes the whole state, so that a resumed test continues with the same bits. Not on
  /// the real-time thread.
  virtual void save(SnapshotWriter& snapshot) const = 0;
  /// Reads the state that save() wrote.
  /// @throws std::out_of_range if the snapshot is shorter than the state
  virtual void restore(SnapshotReader& snapshot) = 0;

  /// Moves the specimen to a displacement for good, so slowly that neither mass nor damping
  /// is felt. Not on the real-time thread; may allocate. Here: advance() at rest, for
  /// specimens that need no time between two displacements.
  /// @param displacement  one entry per DOF [m | rad]
  /// @returns restoring force, one entry per DOF [N | N·m]; not finite if inner DOFs do
  ///          not settle
  virtual InterfaceVector move_statically(const InterfaceVector& displacement) {
    const InterfaceVector rest = InterfaceVector::Zero(displacement.size());
    return advance(displacement, rest, rest);
  }
};

}  // namespace trestle
