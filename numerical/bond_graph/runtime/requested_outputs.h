#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "numerical/bond_graph/right_hand_side.h"
#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// The outputs that the model file requests in its numerical part, behind those of the
/// ports. Nothing allocates after the constructor.
class RequestedOutputs {
 public:
  /// @param model  outlives this
  explicit RequestedOutputs(const Substructuring& model);

  void reset();
  /// Evaluates the numerical part. @param state   of the augmented model
  /// @param inputs  of the augmented model  @param load  F_P that moves the model
  /// @returns false if an algebraic loop does not converge
  bool read(const Eigen::VectorXd& state, const Eigen::VectorXd& inputs,
            const Eigen::VectorXd& load) noexcept;
  /// First those of the ports; empty: the file requests none.
  const Eigen::VectorXd& values() const noexcept { return values_; }
  Eigen::VectorXd& values() noexcept { return values_; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  RightHandSide* system_ = nullptr;  // null: the file requests none
  Eigen::VectorXd state_, input_, rate_, values_;
};

}  // namespace trestle::bond_graph
