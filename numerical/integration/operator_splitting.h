#pragma once

#include "numerical/integration/effective_solver.h"
#include "numerical/integration/generalised_alpha.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/integration/unbalanced_force.h"

namespace trestle::integration {

/// Alpha-operator-splitting (Combescure and Pegon 1997, doi:10.1016/S0029-5493(97)00018-5):
/// implicit with the initial stiffness Kᴵ of the whole structure, springs and specimens
/// included; their forces are taken at the predicted displacement and carried on with Kᴵ.
/// Of springs without stiffness at rest (gap, hook) Kᴵ has the largest.
///
///   d̃ = d + Δt·v + Δt²·(1/2 − β)·a,   ṽ = v + Δt·(1 − γ)·a
///   M·a_k + (1+α)·(C·v_k + r_k − p_k) − α·(C·v + r − p) = 0,   r_k = r̃(d̃) + Kᴵ·(d_k − d̃)
///   d_k = d̃ + β·Δt²·a_k,   v_k = ṽ + γ·Δt·a_k,   β = (1−α)²/4,   γ = (1−2α)/2
///
/// With q = p − C·v − r it needs no product with Kᴵ: q_k = (M·a_k + α·q)/(1+α).
/// By a spectral radius ρ∞ in place of α: the generalised-alpha method (Chung and Hulbert
/// 1993), M·[(1−α_I)·a + α_I·a_k] − (1−α_F)·q − α_F·q_k = 0, loads by the values at both
/// ends.
/// Sites are taken at d̃, ṽ + γ·Δt·a, a. Second order. Unconditionally stable while
/// specimens are not stiffer than said; viscosity and inertia in their forces stay explicit
/// and limit the step (stability_limit.h with κ = 0, exact for α = 0).
class OperatorSplitting final : public TimeIntegrator {
 public:
  /// @param time_step  Δt [s]
  /// @param alpha      in [−1/3, 0]; 0: no numerical damping
  /// @throws std::invalid_argument if alpha is outside, or if a massless DOF has a
  ///         viscous or heavy specimen; NotPositiveDefinite if nothing holds a massless
  ///         DOF
  OperatorSplitting(const structure::StructuralModel& structure, double time_step,
                    double alpha);
  /// @param weights  of the generalised-alpha method
  /// @throws as the other
  OperatorSplitting(const structure::StructuralModel& structure, double time_step,
                    const GeneralisedAlpha& weights);

  const char* name() const noexcept override { return "operator-splitting"; }
  bool uses_previous_step_force() const noexcept override { return false; }
  bool carries_site_force() const noexcept override { return true; }
  int order() const noexcept override { return 2; }
  double stable_time_step() const noexcept override { return stable_time_step_; }
  void start(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void predict(StructuralState& state) noexcept override;
  DofMotion target(const StructuralState& predicted,
                   Eigen::Index equation) const noexcept override;
  void correct(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void save(SnapshotWriter& snapshot) const override { snapshot.add(unbalance_); }
  void restore(SnapshotReader& snapshot) override { snapshot.fill(unbalance_); }

 private:
  OperatorSplitting(const structure::StructuralModel& structure, double time_step,
                    const GeneralisedAlpha& weights, double before);

  double time_step_;
  GeneralisedAlpha weights_;
  double before_;  // 1 − α_F
  double stable_time_step_;
  std::vector<int> massless_;
  structure::SparseMatrix mass_matrix_;
  UnbalancedForce unbalanced_;
  EffectiveSolver mass_;
  EffectiveSolver effective_;
  Eigen::VectorXd unbalance_;  // q of the step closed last
  Eigen::VectorXd inertia_;    // M·a of it, if it counts
};

}  // namespace trestle::integration
