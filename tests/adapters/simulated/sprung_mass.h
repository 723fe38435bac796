#pragma once

#include "adapters/simulated/specimen_dynamics.h"

namespace trestle::testing {

/// A mass between two springs with dampers, moved at both ends.
class SprungMass final : public simulated::SpecimenDynamics {
 public:
  static constexpr double kMass = 2.2;          // [kg]
  static constexpr double kStiffness = 4750.0;  // [N/m]
  static constexpr double kDamping = 6.0;       // [N·s/m]

  Eigen::Index ports() const noexcept override { return 2; }
  Eigen::Index states() const noexcept override { return 2; }
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& displacement,
                const Eigen::VectorXd& velocity, Eigen::VectorXd& rate,
                Eigen::VectorXd& force) noexcept override {
    for (Eigen::Index i = 0; i < 2; ++i)
      force[i] = kStiffness * (displacement[i] - x[0]) + kDamping * (velocity[i] - x[1]);
    rate[0] = x[1];
    rate[1] = force.sum() / kMass;
    return true;
  }
  void commit(const Eigen::VectorXd& /*x*/) noexcept override {}
  void reset() noexcept override {}
};

}  // namespace trestle::testing
