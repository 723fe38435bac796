#pragma once

#include "adapters/simulated/specimen_dynamics.h"

namespace trestle::simulated {

/// f = K d + C v. A mass is its transfer system's business.
class LinearSpecimenDynamics final : public SpecimenDynamics {
 public:
  /// Both of one size, symmetric.
  LinearSpecimenDynamics(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& damping)
      : stiffness_(stiffness), damping_(damping) {}

  Eigen::Index ports() const noexcept override { return stiffness_.rows(); }
  Eigen::Index states() const noexcept override { return 0; }
  bool evaluate(const Eigen::VectorXd& /*x*/, const Eigen::VectorXd& displacement,
                const Eigen::VectorXd& velocity, Eigen::VectorXd& /*rate*/,
                Eigen::VectorXd& force) noexcept override {
    force.noalias() = stiffness_ * displacement;
    force.noalias() += damping_ * velocity;
    return true;
  }
  void commit(const Eigen::VectorXd& /*x*/) noexcept override {}
  void reset() noexcept override {}

 private:
  Eigen::MatrixXd stiffness_;
  Eigen::MatrixXd damping_;
};

}  // namespace trestle::simulated
