#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "core/base/snapshot.h"

namespace trestle::bridge {

/// A linear vehicle: its contacts with the track first, then what moves freely on them, all
/// positive up from static equilibrium.
struct LinearVehicleSettings {
  Eigen::MatrixXd mass;
  Eigen::MatrixXd damping;
  Eigen::MatrixXd stiffness;
  Eigen::Index contacts = 0;
};

/// Motion of all contacts of one vehicle: y of each, then y', then y''.
using ContactMotion = Eigen::VectorXd;

/// M z'' + C z' + K z = [f; 0], z = (contacts y, free): the contacts follow the track, f is
/// what the track needs to press up beside the weight. Linear in the motion at the end of a
/// step:
///
///   f = f₀ + H·(y, y', y'')
///
/// The free DOFs are moved by the exact exponential, for a motion of the contacts that is
/// linear over the step. One step is begin(), then end() with the motion found. The heap
/// rests.
class LinearVehicle {
 public:
  /// @param step  h > 0 [s]
  /// @pre the free DOFs' block of the mass is not singular
  LinearVehicle(const LinearVehicleSettings& settings, double step);

  Eigen::Index contacts() const noexcept { return contacts_; }
  Eigen::Index free_dofs() const noexcept { return free_; }

  /// Sets the state at rest on a track with this motion.
  void reset(const ContactMotion& motion) noexcept;
  void begin() noexcept;
  void end(const ContactMotion& motion) noexcept;

  /// Between begin() and end(). f₀ [N]
  const Eigen::VectorXd& free_force() const noexcept { return free_force_; }
  const Eigen::MatrixXd& force_jacobian() const noexcept { return by_motion_; }  ///< H
  const Eigen::VectorXd& force() const noexcept { return force_; }  ///< at the last instant
  /// Returns displacements, then velocities of the free DOFs at the last instant.
  const Eigen::VectorXd& state() const noexcept { return state_; }
  const Eigen::VectorXd& acceleration() const noexcept { return acceleration_; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void answer(const ContactMotion& motion) noexcept;

  Eigen::Index contacts_, free_;
  Eigen::MatrixXd generator_, entry_;         // s' = A s + B u
  Eigen::MatrixXd output_, direct_;           // f = C s + D u
  Eigen::MatrixXd standing_;                  // s of a track that stands, from y
  Eigen::MatrixXd forward_, before_, after_;  // s₁ = Φ s₀ + B₀ u₀ + B₁ u₁
  Eigen::MatrixXd by_motion_;                 // C B₁ + D
  Eigen::VectorXd state_, next_, free_force_, force_, acceleration_;
  ContactMotion motion_;
};

}  // namespace trestle::bridge
