#pragma once

#include "numerical/bond_graph/runtime/propagator.h"
#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// Model and physical part as two programs that exchange F_P and v_N once per step and hold
/// the received values: the same as a measured force in a test without first-order hold,
/// also with its delay of half a step.
class CoupledSimulationFeedback {
 public:
  /// @param model   outlives this; both its parts of one kind, linear or not
  CoupledSimulationFeedback(const Substructuring& model, double time_step);

  /// @param x      states of the augmented, then of the physical part
  /// @param input  of the augmented part: F_P at the step's beginning, means of sources
  /// @param velocity  v_N of every port at the step's beginning [m/s]
  bool advance(Eigen::VectorXd& x, const Eigen::VectorXd& input,
               const Eigen::VectorXd& velocity) noexcept;

 private:
  Propagator augmented_;
  Propagator physical_;
  Eigen::VectorXd own_;
  Eigen::VectorXd body_;
  Eigen::VectorXd body_input_;
};

}  // namespace trestle::bond_graph
