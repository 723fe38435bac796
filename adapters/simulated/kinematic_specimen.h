#pragma once

#include "adapters/simulated/kinematic_step.h"
#include "core/ports/specimen_model.h"

namespace trestle::simulated {

/// Matrices over controlled DOFs, force-only ones, then inner ones.
struct KinematicSettings {
  Eigen::MatrixXd stiffness;  ///< the block behind the controlled DOFs not singular
  Eigen::MatrixXd damping;    ///< same size; zero if undamped
  Eigen::MatrixXd mass;
  int controlled = 0;
  int force_only = 0;
};

/// f = K z + C v + M w, from the displacement of the controlled DOFs alone.
///
/// All other DOFs follow them statically, z_o = −K_oo⁻¹ K_oc z_c. Rates are backward
/// differences of z, v[n] = (z[n] − z[n−1])/δt and w[n] = (v[n] − v[n−1])/δt, both zero at
/// the first call after prepare(); at the second w = v/δt. It ignores given velocities,
/// accelerations and force-only DOFs. Simulated benchmarks compute the force of a bay from
/// the readings of the transducers in this way (Condori Uribe et al. 2023).
///
/// initial_stiffness() is K condensed to the controlled DOFs, zero at the force-only ones:
/// their force has no static part. damping() and mass() are the symmetric parts of what the
/// controlled DOFs feel, without the force-only rows.
class KinematicSpecimen final : public SpecimenModel {
 public:
  explicit KinematicSpecimen(const KinematicSettings& settings);

  int dofs() const noexcept override { return dofs_; }
  Eigen::MatrixXd initial_stiffness() const override { return felt(step_.stiffness); }
  Eigen::MatrixXd damping() const override { return felt(step_.damping); }
  Eigen::MatrixXd mass() const override { return felt(step_.mass); }
  /// Matrices and state.
  const KinematicStep<double>& step() const noexcept { return step_; }
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
  Eigen::MatrixXd felt(const Eigen::MatrixXd& rows) const;

  int dofs_;  // controlled and force-only
  KinematicStep<double> step_;
};

}  // namespace trestle::simulated
