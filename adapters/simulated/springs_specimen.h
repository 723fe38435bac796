#pragma once

#include <memory>
#include <vector>

#include "core/ports/specimen_model.h"
#include "numerical/materials/restoring_force.h"

namespace trestle::simulated {

/// One independent spring per interface DOF, with a damper and a mass beside it.
class SpringsSpecimen final : public SpecimenModel {
 public:
  /// All three of one size.
  SpringsSpecimen(std::vector<std::unique_ptr<materials::RestoringForce>> laws,
                  const InterfaceVector& damping, const InterfaceVector& mass);

  int dofs() const noexcept override;
  Eigen::MatrixXd initial_stiffness() const override;
  Eigen::MatrixXd elastic_stiffness() const override;
  Eigen::MatrixXd damping() const override;
  Eigen::MatrixXd mass() const override;
  void prepare(double period) override;
  InterfaceVector advance(const InterfaceVector& displacement,
                          const InterfaceVector& velocity,
                          const InterfaceVector& acceleration) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  std::vector<std::unique_ptr<materials::RestoringForce>> laws_;
  InterfaceVector damping_;
  InterfaceVector mass_;
};

}  // namespace trestle::simulated
