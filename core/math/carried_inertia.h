#pragma once

#include <span>

#include "core/base/snapshot.h"
#include "core/types/interface_vector.h"

namespace trestle::math {

/// Removes M·â, the inertia of a specimen that moves while it is read, from the measured
/// forces. The integrator accounts for all inertia of this mass, that of the ground motion
/// included.
///
/// â is the difference of the path from tick to tick, in the laboratory's time:
///
///   v_m = (x_m − x_{m−1})/δt,   â_m = (v_m − v_{m−1})/δt,
///
/// with the same arithmetic as in an ideal simulated rig (stroke_acceleration.h: where the
/// path stands, â is zero). Before the first tick the path is at rest. If accelerometers
/// measure the specimen, â is their reading and the path is not used. No call allocates.
class CarriedInertia {
 public:
  /// None.
  CarriedInertia() = default;
  /// @param mass  one row and column per interface DOF, controlled ones first; all zero, or
  ///              size zero: none
  /// @param tick  δt [s], > 0
  /// @param led   number of DOFs, from the first, that follow the path; the others stand
  ///              still
  /// @param measured  â is the argument of measure()
  CarriedInertia(const Eigen::MatrixXd& mass, double tick, Eigen::Index led,
                 bool measured = false);

  bool none() const noexcept { return mass_.size() == 0; }

  /// Sets the readings of the accelerometers, one number per DOF that follows the path.
  /// Does nothing if the path is used.
  /// @returns false if their number differs, or one is not finite
  bool measure(std::span<const double> accelerations) noexcept;

  /// Starts the path at rest there.
  void begin(const InterfaceVector& displacement) noexcept;

  /// The path one tick on.
  void pass(const InterfaceVector& displacement) noexcept;

  /// Moves the path by several ticks at once, without the positions in between.
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

}  // namespace trestle::math
