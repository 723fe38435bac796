#pragma once

#include <memory>
#include <string>
#include <vector>

#include "numerical/bond_graph/graph_system.h"
#include "numerical/bond_graph/right_hand_side.h"

namespace trestle::bond_graph {

/// The augmented numerical substructure closed by the model of the physical part, which v_N
/// itself moves: it uses no measurement.
///
///   inputs   F_P of port 1 … N, which are ignored, then the sources of the augmented part
///   states   those of the augmented part, then those of the physical part
///   outputs  those of the augmented part, then F_P of port 1 … N as computed
///
/// v_N does not follow F_P directly (assumption 1), so that one after the other can be
/// asked.
class ModelFeedback final : public RightHandSide {
 public:
  /// Both outlive this.
  /// @param ports  N
  /// @throws SettingError if the physical part has a source that `augmented` has not
  ModelFeedback(const GraphSystem& augmented, const GraphSystem& physical,
                Eigen::Index ports);

  Eigen::Index states() const noexcept override;
  Eigen::Index inputs() const noexcept override;
  Eigen::Index outputs() const noexcept override;
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u, Eigen::VectorXd& rate,
                Eigen::VectorXd& output) noexcept override;
  void commit(const Eigen::VectorXd& x) noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  RightHandSide& augmented_;
  RightHandSide& physical_;
  Eigen::Index ports_;
  std::vector<Eigen::Index> sources_;  // of the physical part: their input in the augmented
  Eigen::VectorXd own_, own_input_, own_rate_, own_output_;
  Eigen::VectorXd body_, body_input_, body_rate_, body_output_;
};

/// A, B, C, D of a right-hand side that is linear, by its answers to unit vectors.
math::StateSpace matrices_of(RightHandSide& linear);

}  // namespace trestle::bond_graph
