#pragma once

#include <memory>

#include "adapters/simulated/plastic_hinge.h"
#include "core/ports/specimen_model.h"

namespace trestle::simulated {

struct ColumnSettings {
  int dofs = 1;                  ///< 1: [x], 2: [x, rz], 3: [x, y, rz] of the top
  double elastic_modulus = 0.0;  ///< E [Pa]
  double area = 0.0;             ///< A [m²]
  double second_moment = 0.0;    ///< I [m⁴]
  double height = 0.0;           ///< h [m]
  double damping = 0.0;          ///< C = damping · K [s]
};

/// A vertical Euler–Bernoulli column below its top node, fixed at its foot.
///
/// x to the right, y upwards, rz counter-clockwise, as everywhere. With [x, y, rz]:
///   f_x  = 12 EI/h³ x + 6 EI/h² rz,  f_y = EA/h y,  m = 6 EI/h² x + 4 EI/h rz.
/// With [x, rz] the top is free along y, which changes nothing. With [x] alone the top
/// turns freely, without moment: f_x = 3 EI/h³ x.
///
/// Plastic hinges at foot and top, in series with the elastic column. Their reference
/// stiffness is end_stiffness(): an end of a column that sways with both ends held, so that
/// the storey has the stiffness hardening · 12 EI/h³ once both hinges yield. With [x] alone
/// only the foot can yield. Axial force and moment do not interact.
class ColumnSpecimen final : public SpecimenModel {
 public:
  /// @param foot, top  null: elastic
  ColumnSpecimen(const ColumnSettings& settings, std::unique_ptr<PlasticHinge> foot,
                 std::unique_ptr<PlasticHinge> top);

  /// 6 EI/h: end moment per end rotation in double curvature [N·m/rad].
  static double end_stiffness(const ColumnSettings& settings) noexcept;

  int dofs() const noexcept override { return dofs_; }
  Eigen::MatrixXd initial_stiffness() const override { return stiffness_; }
  /// None if it has a hinge: what is in series with it is not felt alone.
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
  struct EndMoments {
    double foot;
    double top;
  };
  EndMoments bend(double foot_rotation, double top_rotation) noexcept;

  int dofs_;
  double height_;
  double damping_;
  double flexural_;  // EI/h [N·m/rad]
  Eigen::MatrixXd stiffness_;
  std::unique_ptr<PlasticHinge> foot_;
  std::unique_ptr<PlasticHinge> top_;
};

}  // namespace trestle::simulated
