#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/elimination.h"
#include "core/math/lu_factor.h"
#include "core/ports/specimen_model.h"
#include "numerical/structure/structural_model.h"

namespace trestle::simulated {

/// A small frame with mass and damping, moved at its interface DOFs.
///
/// The rig prescribes motion of the interface (b); the inner DOFs (i) follow
///   M a + C v + K d + f_s(d) = 0  in the rows i,
/// and the same left-hand side in the rows b is the force returned: what holds the
/// interface there, with the frame's own inertia and damping at the interface.
///
/// Integrated with the period of prepare(): Newmark with constant average acceleration
/// (Newmark 1959), its matrix factored once. If a nonlinear spring acts on an inner DOF,
/// Newton's method finds the inner motion at the end of the period: at most 12 steps, each
/// shortened until the imbalance falls (Dennis and Schnabel 1996, section 6.3), with the
/// tangents of the laws (Woodbury's formula, Golub and Van Loan 2013, section 2.1.4). The
/// laws move once a period, where Newton's method ends. The rest of the imbalance, which is
/// rounding, goes by the initial stiffness (operator splitting, Nakashima et al. 1990). If
/// no step lowers the imbalance, the laws move at the predicted displacement and all of it
/// goes that way: exact for linear laws, stable for softening ones. An inner DOF without
/// mass has no acceleration and the backward difference as its velocity, since average
/// acceleration would make it ring.
///
/// initial_stiffness() is condensed statically, T = [I; −K_ii⁻¹ K_ib], Tᵀ K T; damping()
/// and mass() with the same T (Guyan 1965): what the interface feels as long as it moves
/// slowly against the inner frequencies. They are exact where no inner DOF has mass or
/// damping. The undivided reference may use advance() itself.
class FrameSpecimen final : public SpecimenModel {
 public:
  /// @param structure  of the frame alone; its inner DOFs no mechanism while the interface
  ///                   is held; no law of it depends on a rate or has a partner
  /// @param interface  equations, all different, in the order of the site's interface
  FrameSpecimen(structure::StructuralModel structure, const std::vector<int>& interface);

  int dofs() const noexcept override { return dofs_; }
  Eigen::MatrixXd initial_stiffness() const override;
  /// None if any of its springs may yield.
  Eigen::MatrixXd elastic_stiffness() const override;
  Eigen::MatrixXd damping() const override;
  Eigen::MatrixXd mass() const override;
  /// By the frame itself, with what its mass couples to its supports.
  Eigen::MatrixXd base_mass(const Eigen::MatrixXd& influence) const override;
  void prepare(double period) override;
  InterfaceVector advance(const InterfaceVector& displacement,
                          const InterfaceVector& velocity,
                          const InterfaceVector& acceleration) noexcept override;
  /// Inner DOFs in equilibrium, by Newton's method.
  InterfaceVector move_statically(const InterfaceVector& displacement) override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  Eigen::Index inner() const noexcept { return mass_.rows() - dofs_; }
  Eigen::MatrixXd condensed(const Eigen::MatrixXd& matrix) const;
  void predict() noexcept;
  void prepare_newton();
  void find_linear_forces() noexcept;
  void add_spring_forces() noexcept;
  double elastic_energy() noexcept;
  double imbalance() noexcept;
  void place(const Eigen::VectorXd& shift) noexcept;
  void find_newton_step() noexcept;
  bool reduce(double least_part, double& left) noexcept;
  void settle() noexcept;

  /// Newton's method for the inner motion of one period; sizes by prepare().
  struct Newton {
    bool needed = false;         // a nonlinear spring acts on an inner DOF
    Eigen::MatrixXd acts;        // B: inner forces per spring force
    Eigen::MatrixXd reach;       // A⁻¹·B, A the initial derivative of the inner forces
    Eigen::MatrixXd compliance;  // Bᵀ·A⁻¹·B
    Eigen::VectorXd beyond;      // Δ: tangents less initial stiffnesses
    math::RowMajorMatrix jacobian;
    Eigen::VectorXd change;
    Eigen::MatrixXd start;  // predicted displacement, velocity, acceleration
    Eigen::VectorXd shift;  // from there against the displacement, as accepted
    Eigen::VectorXd step;
    Eigen::VectorXd trial;
  };

  // Rows and columns: the interface first, then the inner DOFs.
  int dofs_;
  Eigen::MatrixXd mass_;
  Eigen::MatrixXd damping_;
  Eigen::MatrixXd stiffness_;         // without the nonlinear springs
  Eigen::MatrixXd spring_stiffness_;  // of these, at rest
  std::vector<structure::NonlinearSpring> springs_;
  Eigen::MatrixXd follow_;     // −K_ii⁻¹ K_ib
  Eigen::MatrixXd base_mass_;  // of all rows, along x, y and z

  double period_ = 0.0;
  Eigen::MatrixXd effective_;  // force per inner correction, all rows
  math::LuFactor factor_;
  Eigen::VectorXd velocity_rate_;      // velocity per correction, of the inner DOFs [1/s]
  Eigen::VectorXd acceleration_rate_;  // 0: without mass [1/s²]

  Eigen::VectorXd displacement_;
  Eigen::VectorXd velocity_;
  Eigen::VectorXd acceleration_;
  Eigen::VectorXd force_;
  Eigen::VectorXd correction_;
  Newton newton_;
};

}  // namespace trestle::simulated
