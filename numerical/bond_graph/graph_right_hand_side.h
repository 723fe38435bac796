#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "numerical/bond_graph/graph.h"
#include "numerical/bond_graph/junction_structure.h"
#include "numerical/bond_graph/right_hand_side.h"

namespace trestle::bond_graph {

/// A graph with laws of any kind as x' = f(x, u), y = g(x, u), from its junction structure.
///
/// Dampers that do not depend on each other are evaluated one after the other; on algebraic
/// loops, and where storages follow others, Newton's method solves
///
///     r = rho(S_rz z + S_rr r + S_rd d + S_ru u),   d = G S_dz phi'(x) x'
///
/// with the laws' slopes and steps that are halved until the residual falls.
class GraphRightHandSide final : public RightHandSide {
 public:
  /// @throws SettingError [E_INPUT_DERIVATIVE, E_INDEX, E_LAW] as linearise_graph(), and
  /// where
  /// a
  ///         storage in derivative form has a law or is prescribed through a damper
  /// @param with_rates  whether output_rates() will be asked
  GraphRightHandSide(const Graph& graph, const JunctionStructure& structure,
                     bool with_rates = false);

  Eigen::Index states() const noexcept override { return S_.x.z.rows(); }
  Eigen::Index inputs() const noexcept override { return S_.x.u.cols(); }
  Eigen::Index outputs() const noexcept override { return S_.y.z.rows(); }
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u, Eigen::VectorXd& rate,
                Eigen::VectorXd& output) noexcept override;
  void commit(const Eigen::VectorXd& x) noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// y' after the last evaluate(), of outputs that no input and no storage in derivative
  /// form reaches but through a storage.
  /// @returns false if the dampers' slopes make it indefinite
  bool output_rates(const Eigen::VectorXd& rate, Eigen::VectorXd& output_rate) noexcept;

 private:
  bool solve_loops() noexcept;
  void evaluate_residual() noexcept;
  void evaluate_jacobian() noexcept;
  void evaluate_in_order() noexcept;
  double damper(Eigen::Index i, double argument) noexcept;
  double damper_slope(Eigen::Index i, double argument) noexcept;

  JunctionStructure S_;  // NOLINT(readability-identifier-naming)
  bool needs_slopes_;    // of the storages
  std::vector<std::unique_ptr<ConstitutiveLaw>> storage_laws_;  // null: linear
  std::vector<std::unique_ptr<ConstitutiveLaw>> damper_laws_;
  Eigen::VectorXd storage_gains_;
  Eigen::VectorXd damper_gains_;
  Eigen::VectorXd derivative_gains_;  // G
  std::vector<Eigen::Index> order_;   // of the dampers; empty: they must be solved together
  Eigen::MatrixXd follow_;            // G S_dz

  // Work space of the present evaluation.
  Eigen::VectorXd z_, slopes_, fixed_r_in_, fixed_rate_, r_in_, rate_;
  Eigen::VectorXd unknown_, residual_, step_, before_;  // [r; d]
  Eigen::MatrixXd jacobian_;
};

}  // namespace trestle::bond_graph
