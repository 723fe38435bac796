#pragma once

#include "numerical/integration/effective_solver.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/integration/unbalanced_force.h"

namespace trestle::integration {

/// Which answer of the sites enters the equation of motion of step k.
enum class SiteForceTiming {
  kCurrentStep,   ///< the answer to the target of step k
  kPreviousStep,  ///< the answer to the target of step k−1; of the initial measurement for
                  ///< step 0
};

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
///
/// With the sites' forces of the last step (published benchmarks of real-time hybrid
/// simulation are made so: Condori Uribe et al. 2023)
///
///   M·a_k + C·v_k + K·d_k = p_k − f_{k−1},   f_{k−1} the answer to target d_{k−1},
///
/// from rest before step 0, and d_k with its v_k and a_k is the target of step k. A force
/// that is one step late feeds energy, like damping of −Δt·Kₑ: what the damping of the
/// numerical part bears decides, and no limit of Δt is told. Without experimental part it
/// is Newmark's method, unconditionally stable. No DOF needs mass.
class ConstantAverageAcceleration final : public TimeIntegrator {
 public:
  /// @param time_step  Δt [s]
  /// @throws std::invalid_argument if a DOF with a specimen has no mass, naming it, and
  ///         the sites' forces are of this step; NotPositiveDefinite if nothing at all
  ///         holds a massless DOF
  ConstantAverageAcceleration(const structure::StructuralModel& structure, double time_step,
                              SiteForceTiming site_force = SiteForceTiming::kCurrentStep);

  const char* name() const noexcept override { return "constant-average-acceleration"; }
  bool uses_previous_step_force() const noexcept override {
    return site_force_ == SiteForceTiming::kPreviousStep;
  }
  int order() const noexcept override {
    return site_force_ == SiteForceTiming::kCurrentStep ? 2 : 1;
  }
  double stable_time_step() const noexcept override { return stable_time_step_; }
  void start(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void predict(StructuralState& state) noexcept override;
  DofMotion target(const StructuralState& predicted,
                   Eigen::Index equation) const noexcept override;
  void correct(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  const UnbalancedForce& unbalanced() const noexcept { return unbalanced_; }
  /// M + Δt/2·C + Δt²/4·K, to be solved.
  const EffectiveSolver& effective() const noexcept { return effective_; }
  void save(SnapshotWriter&) const override {}
  void restore(SnapshotReader&) override {}

 private:
  double time_step_;
  SiteForceTiming site_force_;
  double stable_time_step_;
  std::vector<int> massless_;
  UnbalancedForce unbalanced_;
  EffectiveSolver mass_;
  EffectiveSolver effective_;
};

}  // namespace trestle::integration
