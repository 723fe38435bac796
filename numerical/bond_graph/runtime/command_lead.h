#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerical/bond_graph/runtime/propagator.h"
#include "numerical/bond_graph/runtime/stepped_model.h"
#include "numerical/bond_graph/runtime/stepping_settings.h"

namespace trestle::bond_graph {

/// Predicts the outputs of the model at the time when the command to a port acts: the lead
/// and the port's known delay ahead. Nothing allocates after the constructor.
class CommandLead {
 public:
  /// All must outlive this.
  CommandLead(const SteppingSettings& settings, SteppedModel& model);

  /// Steps from now until the last command acts, rounded down.
  static std::int64_t whole_steps(const SteppingSettings& settings);

  /// The outputs are in the model's output().
  /// @param state, force  at step·Δt
  /// @returns false if an algebraic loop does not converge
  bool predict(std::int64_t step, std::size_t port, const Eigen::VectorXd& state,
               const Eigen::VectorXd& force) noexcept;

 private:
  const SteppingSettings& settings_;
  SteppedModel& model_;
  std::vector<Propagator> rest_;     // per port: of its lead, beside whole steps
  std::vector<std::int64_t> whole_;  // per port: steps of its lead
  Eigen::VectorXd reach_;
};

}  // namespace trestle::bond_graph
