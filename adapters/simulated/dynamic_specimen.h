#pragma once

#include "core/ports/specimen_model.h"

namespace trestle::simulated {

/// Symmetric matrices over the interface DOFs, then the inner ones.
struct DynamicSettings {
  Eigen::MatrixXd stiffness;  ///< block of the inner DOFs not singular
  Eigen::MatrixXd damping;    ///< zero if undamped
  Eigen::MatrixXd mass;       ///< block of the inner DOFs not singular
  int interface_dofs = 0;
};

/// A quarter vehicle, standing on its wheel. The interface is the wheel's motion upwards
/// from static equilibrium.
struct QuarterVehicleSettings {
  double car_mass = 0.0;             ///< Mc [kg], > 0
  double secondary_stiffness = 0.0;  ///< Ks [N/m], > 0
  double secondary_damping = 0.0;    ///< Cs [N·s/m]
  double bogie_mass = 0.0;           ///< Mt [kg], > 0
  double primary_stiffness = 0.0;    ///< Kp [N/m], > 0
  double primary_damping = 0.0;      ///< Cp [N·s/m]
  double wheel_mass = 0.0;           ///< Mw [kg]: of its inertia in the force; 0: left out
};

///   Mt dt'' = −(Kp+Ks) dt + Ks dc − (Cp+Cs) dt' + Cs dc' + Kp x + Cp x'
///   Mc dc'' =  Ks (dt − dc) + Cs (dt' − dc')
///
/// z = (x, dt, dc). The force that holds the wheel is that of inertia,
/// Mc dc'' + Mt dt'' (+ Mw x''): an upward acceleration is a positive force, and on a
/// bridge a greater load. The static weight is not in it.
DynamicSettings quarter_vehicle(const QuarterVehicleSettings& settings);

/// A linear specimen with inner DOFs that move freely:
///
///   [M_cc M_co; M_oc M_oo] z'' + [C] z' + [K] z = [f; 0],   z = (interface, inner).
///
/// From tick to tick the inner DOFs are moved by the exact exponential, for an interface
/// that runs along the polynomial of fourth order through displacement and velocity at
/// either end and the acceleration at the later one. Of a table whose third or a higher
/// derivative is the first to jump with the drive this is exact to the fifth power of the
/// tick, next to the one system of table and specimen under a held drive.
///
/// initial_stiffness(), damping() and mass() are those felt when the inner DOFs follow
/// statically.
class DynamicSpecimen final : public SpecimenModel {
 public:
  explicit DynamicSpecimen(const DynamicSettings& settings);

  int dofs() const noexcept override { return static_cast<int>(controlled_); }
  Eigen::MatrixXd initial_stiffness() const override { return felt(stiffness_); }
  Eigen::MatrixXd damping() const override { return felt(damping_); }
  Eigen::MatrixXd mass() const override { return felt(mass_); }
  /// Its inner DOFs go with the ground as the interface does, where all of that goes in one
  /// direction; else as they follow statically.
  Eigen::MatrixXd base_mass(const Eigen::MatrixXd& influence) const override;
  void prepare(double period) override;
  InterfaceVector advance(const InterfaceVector& displacement,
                          const InterfaceVector& velocity,
                          const InterfaceVector& acceleration) noexcept override;
  /// By its stiffness alone; its memory of rates stays.
  InterfaceVector move_statically(const InterfaceVector& displacement) override {
    return initial_stiffness() * displacement;
  }
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  Eigen::MatrixXd follow() const;
  Eigen::MatrixXd felt(const Eigen::MatrixXd& matrix) const;

  Eigen::Index controlled_;
  Eigen::MatrixXd stiffness_;
  Eigen::MatrixXd damping_;
  Eigen::MatrixXd mass_;
  // x' = A x + B s: x = (inner z, z'), s = (interface z, z', z'').
  Eigen::MatrixXd generator_;
  Eigen::MatrixXd entry_;

  double period_ = 0.0;
  Eigen::MatrixXd forward_;  // x over one period, from x and the five coefficients
  Eigen::VectorXd state_;    // inner z, z'
  Eigen::VectorXd next_;
  Eigen::VectorXd motion_;  // interface z, z', z'' at the last instant
  Eigen::VectorXd path_;    // the polynomial's coefficients, of x above them
  Eigen::VectorXd inner_acceleration_;
};

}  // namespace trestle::simulated
