#pragma once

#include "numerical/integration/effective_solver.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/integration/unbalanced_force.h"

namespace trestle::integration {

/// Newmark's method with β = 0, γ = 1/2 (Newmark 1959), damping on the left-hand side:
///
///   d_k = d + Δt·v + Δt²/2·a,   ṽ = v + Δt/2·a
///   (M + Δt/2·C)·a_k = p_k − f(d_k) − K·d_k − C·ṽ,   v_k = ṽ + Δt/2·a_k
///
/// Sites are taken at d_k, v + Δt·a, a. Second order; stable up to 2/ω_max of the whole
/// structure, whatever C; viscosity in the sites' forces lowers it (stability_limit.h).
/// A diagonal left-hand side is not factored.
class ExplicitNewmark final : public TimeIntegrator {
 public:
  /// @param time_step  Δt [s]
  /// @throws std::invalid_argument if a DOF has no mass, naming it
  ExplicitNewmark(const structure::StructuralModel& structure, double time_step);

  const char* name() const noexcept override { return "explicit-newmark"; }
  bool uses_previous_step_force() const noexcept override { return false; }
  int order() const noexcept override { return 2; }
  double stable_time_step() const noexcept override { return stable_time_step_; }
  void start(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void predict(StructuralState& state) noexcept override;
  DofMotion target(const StructuralState& predicted,
                   Eigen::Index equation) const noexcept override;
  void correct(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void save(SnapshotWriter&) const override {}
  void restore(SnapshotReader&) override {}

 private:
  double time_step_;
  double stable_time_step_;
  UnbalancedForce unbalanced_;
  EffectiveSolver mass_;
  EffectiveSolver effective_;
};

}  // namespace trestle::integration
