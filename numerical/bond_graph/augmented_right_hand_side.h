#pragma once

#include <Eigen/Core>
#include <memory>

#include "numerical/bond_graph/graph_right_hand_side.h"
#include "numerical/bond_graph/transfer_inverse.h"

namespace trestle::bond_graph {

/// The augmented numerical substructure of a model with laws that are not linear:
///
///     x_N' = f(x_N, in),  eta' = Q eta + P xi + W w,  F_T = beta_hat F_P + Δ⁻¹ (w − R xi −
///     S eta)
///
/// with xi = v_N and w = v_N' of ports whose transfer system has degree 1, w = v_N of those
/// with degree 0.
class AugmentedRightHandSide final : public RightHandSide {
 public:
  /// @param numerical  made with rates; its first outputs are v_N, one per port
  /// @param displacement  z = displacement · eta; without rows z is integrated by states of
  ///                      its own, behind eta
  /// @pre all degrees are 0 or 1
  AugmentedRightHandSide(std::unique_ptr<GraphRightHandSide> numerical,
                         TransferInverse inverse, Eigen::VectorXd load,
                         Eigen::MatrixXd displacement);

  Eigen::Index states() const noexcept override;
  Eigen::Index inputs() const noexcept override { return numerical_->inputs(); }
  Eigen::Index outputs() const noexcept override { return 3 * load_.size(); }
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u, Eigen::VectorXd& rate,
                Eigen::VectorXd& output) noexcept override;
  void commit(const Eigen::VectorXd& x) noexcept override;
  void reset() noexcept override { numerical_->reset(); }
  void save(SnapshotWriter& snapshot) const override { numerical_->save(snapshot); }
  void restore(SnapshotReader& snapshot) override { numerical_->restore(snapshot); }

 private:
  bool integrates_displacement() const noexcept { return displacement_.rows() == 0; }

  std::unique_ptr<GraphRightHandSide> numerical_;
  TransferInverse inverse_;
  Eigen::VectorXd load_;
  Eigen::MatrixXd displacement_;
  Eigen::VectorXd x_, rate_, output_, output_rate_, xi_, top_, inner_;
};

}  // namespace trestle::bond_graph
