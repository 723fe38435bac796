#pragma once

#include "core/math/state_space.h"
#include "numerical/bond_graph/right_hand_side.h"

namespace trestle::bond_graph {

/// x' = A x + B u, y = C x + D u.
class LinearRightHandSide final : public RightHandSide {
 public:
  explicit LinearRightHandSide(math::StateSpace system);

  Eigen::Index states() const noexcept override { return system_.states(); }
  Eigen::Index inputs() const noexcept override { return system_.inputs(); }
  Eigen::Index outputs() const noexcept override { return system_.outputs(); }
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u, Eigen::VectorXd& rate,
                Eigen::VectorXd& output) noexcept override;
  void commit(const Eigen::VectorXd& /*x*/) noexcept override {}
  void reset() noexcept override {}

 private:
  math::StateSpace system_;
};

}  // namespace trestle::bond_graph
