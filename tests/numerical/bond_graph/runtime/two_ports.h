#pragma once

#include <memory>

#include "adapters/simulated/coupled_actuators.h"
#include "numerical/bond_graph/runtime/bond_graph_substructure.h"

namespace trestle::bond_graph {

/// Section 5 of Gawthrop, Wallace and Wagg (2005), by its printed matrices: a mass with
/// both its springs is the hardware, two further masses on springs to moving walls r1, r2
/// are the model. States q1, p1, q2, p2, eta1, eta2; the identified transfer systems of
/// Table I.
struct TwoPorts {
  static constexpr double kMass = 2.2;
  static constexpr double kStiffness = 4750.0;
  static constexpr double kDamping = 6.0;
  double transfer_stiffness[2] = {13618.0, 25902.0};
  double transfer_damping[2] = {150.8, 200.8};
  double load = 1.0;  ///< beta_hat

  Substructuring model() const;
};

/// The middle mass between its springs, moved at both ends.
class MiddleMass final : public simulated::SpecimenDynamics {
 public:
  Eigen::Index ports() const noexcept override { return 2; }
  Eigen::Index states() const noexcept override { return 2; }
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& displacement,
                const Eigen::VectorXd& velocity, Eigen::VectorXd& rate,
                Eigen::VectorXd& force) noexcept override;
  void commit(const Eigen::VectorXd& /*x*/) noexcept override {}
  void reset() noexcept override {}
};

}  // namespace trestle::bond_graph
