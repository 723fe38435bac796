#pragma once

#include "core/ports/integrator.h"
#include "numerical/integration/effective_solver.h"
#include "numerical/integration/unbalanced_force.h"

namespace trestle {

/// Newmark's method with β = 1/4, γ = 1/2 in the numerical part, the sites' forces
/// explicit:
///
///   x_k = d + Δt·v + Δt²/2·a      where the sites are taken, with v + Δt·a, a
///   M·a_k + C·v_k + K·d_k + f_s(d̃) + K_s·(d_k − d̃) = p_k − f(x_k)
///   d_k = d̃ + Δt²/4·a_k,   d̃ = d + Δt·v + Δt²/4·a
///   v_k = ṽ + Δt/2·a_k,    ṽ = v + Δt/2·a
///
/// Nonlinear springs f_s are split as in the operator-splitting method (Nakashima et al.
/// 1990): initial stiffness K_s implicit, the rest taken at d̃, which is unconditionally
/// stable while they soften; a linear spring becomes exactly implicit.
///
/// x_k − d_k = −Δt²/4·(a_k − a_{k−1}) = O(Δt³): the whole stays of second order and comes
/// to the scheme without sites with third. A mode with explicit stiffness kₑ on mass m has
/// the characteristic polynomial, z = (1+s)/(1−s), h = Δt²/4:
///
///   (m − 2h·kₑ)·s³ + m·s² + h·k·s + h·k
///
/// whence by Routh it is stable while Δt < √2/ωₑ, ωₑ² the largest eigenvalue of (Kₑ, M):
/// the sites' stiffness alone counts.
class ConstantAverageAcceleration final : public Integrator {
 public:
  /// @param time_step  Δt [s]
  /// @throws std::invalid_argument where a DOF with a specimen has no mass, naming it;
  ///         NotPositiveDefinite where nothing at all holds a massless DOF
  ConstantAverageAcceleration(const Structure& structure, double time_step);

  const char* name() const noexcept override { return "constant-average-acceleration"; }
  int order() const noexcept override { return 2; }
  double stable_time_step() const noexcept override { return stable_time_step_; }
  void start(const Eigen::VectorXd& load, StructureState& state) noexcept override;
  void predict(StructureState& state) noexcept override;
  DofMotion target(const StructureState& predicted,
                   Eigen::Index equation) const noexcept override;
  void correct(const Eigen::VectorXd& load, StructureState& state) noexcept override;
  void save(SnapshotWriter&) const override {}
  void restore(SnapshotReader&) override {}

 private:
  double time_step_;
  double stable_time_step_;
  std::vector<int> massless_;
  UnbalancedForce unbalanced_;
  EffectiveSolver mass_;
  EffectiveSolver effective_;
};

}  // namespace trestle
