#pragma once

#include "core/ports/specimen_model.h"

namespace trestle::simulated {

/// f = K d + C v + M a, in the units of its DOFs.
class LinearSpecimen final : public SpecimenModel {
 public:
  /// The three matrices are symmetric and have the same size; an absent one is zero.
  LinearSpecimen(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& damping,
                 const Eigen::MatrixXd& mass);

  int dofs() const noexcept override;
  Eigen::MatrixXd initial_stiffness() const override { return stiffness_; }
  Eigen::MatrixXd damping() const override { return damping_; }
  Eigen::MatrixXd mass() const override { return mass_; }
  void prepare(double /*period*/) override {}
  InterfaceVector advance(const InterfaceVector& displacement,
                          const InterfaceVector& velocity,
                          const InterfaceVector& acceleration) noexcept override;
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  Eigen::MatrixXd stiffness_;
  Eigen::MatrixXd damping_;
  Eigen::MatrixXd mass_;
};

}  // namespace trestle::simulated
