#pragma once

#include <span>

#include "core/base/snapshot.h"
#include "core/types/interface_vector.h"

namespace trestle {

/// Removes M·â, the inertia of a specimen that moves while it is read, from the measured
/// forces. The integrator accounts for all inertia of this mass, that of the ground motion
/// included.
///
/// â is the difference of the path from tick to tick, in the laboratory's time:
///
///   v_m = (x_m − x_{m−1})/δt,   â_m = (v_m − v_{m−1})/δt,
///
/// by the very arithmetic in which an ideal simulated rig feels it. Before the first tick
/// the path stands still. Where accelerometers measure the specimen, â is what they read,
/// and the path tells nothing. No call allocates.
class CarriedInertia {
 public:
  /// None.
  CarriedInertia() = default;
  /// @param mass  one row and column per interface DOF, controlled ones first; all zero, or
  ///              size zero: none
  /// @param tick  δt [s], > 0
  /// @param led   number of DOFs, from the first, that follow the path; the others stand
  ///              still
  /// @param measured  â is what measure() is told
  CarriedInertia(const Eigen::MatrixXd& mass, double tick, Eigen::Index led,
                 bool measured = false);

  bool none() const noexcept { return mass_.size() == 0; }

  /// What the accelerometers read, one number per DOF that is led. Does nothing where the
  /// path tells.
  /// @returns false: another number of them, or one that is none
  bool measure(std::span<const double> accelerations) noexcept;

  /// The path stands still there.
  void begin(const InterfaceVector& displacement) noexcept;

  /// The path one tick on.
  void pass(const InterfaceVector& displacement) noexcept;

  /// The path some ticks on, nobody knows by which way: as it is told to move.
  void leap(const InterfaceVector& displacement, const InterfaceVector& velocity,
            const InterfaceVector& acceleration) noexcept;

  const InterfaceVector& acceleration() const noexcept { return acceleration_; }

  /// force ← force − M·â
  void take_out(InterfaceVector& force) const noexcept;

  /// Writes nothing if the mass is zero.
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  Eigen::MatrixXd mass_;
  double tick_ = 1.0;
  bool measured_ = false;
  InterfaceVector displacement_;
  InterfaceVector velocity_;
  InterfaceVector acceleration_;
};

}  // namespace trestle
