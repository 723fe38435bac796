#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/base/snapshot.h"
#include "numerical/bond_graph/right_hand_side.h"
#include "numerical/bond_graph/runtime/physical_outputs.h"
#include "numerical/bond_graph/runtime/stepping_settings.h"
#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// The outputs that the model file requests: in its numerical part, behind those of the
/// ports, and where it is asked for in its physical part. Nothing allocates after the
/// constructor.
class RequestedOutputs {
 public:
  /// @param model  outlives this
  /// @param settings  time step, and whether those of the physical part are computed
  RequestedOutputs(const Substructuring& model, const SteppingSettings& settings);

  void reset();
  /// Evaluates the numerical part. @param state   of the augmented model
  /// @param inputs  of the augmented model  @param load  F_P that moves the model
  /// @returns false if an algebraic loop does not converge
  bool read(const Eigen::VectorXd& state, const Eigen::VectorXd& inputs,
            const Eigen::VectorXd& load) noexcept;
  /// First those of the ports; empty: the file requests none.
  const Eigen::VectorXd& values() const noexcept { return values_; }
  Eigen::VectorXd& values() noexcept { return values_; }

  // Of the physical part, by the measured displacement of every port; nothing if it is not
  // asked for. @returns false as above
  bool begin(const Eigen::VectorXd& measured) noexcept;
  bool advance(const Eigen::VectorXd& measured) noexcept;
  const PhysicalOutputs* physical() const noexcept {
    return physical_ ? &*physical_ : nullptr;
  }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  RightHandSide* system_ = nullptr;  // null: the file requests none
  Eigen::VectorXd state_, input_, rate_, values_;
  std::optional<PhysicalOutputs> physical_;
};

}  // namespace trestle::bond_graph
