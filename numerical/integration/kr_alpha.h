#pragma once

#include "numerical/integration/effective_solver.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/integration/unbalanced_force.h"

namespace trestle::integration {

/// KR-alpha (Kolay and Ricles 2014, doi:10.1002/eqe.2401): explicit in displacement and
/// velocity, unconditionally stable for linear and softening structures, with numerical
/// damping set by ρ∞.
///
///   v_k = v + Δt·α₁·a,   d_k = d + Δt·v + Δt²·(1/2 + γ)·α₁·a
///   M·((I − α₃)·a_k + α₃·a) = (1 − αf)·q_k + αf·q,   q = p − f − C·v − K·d
///   α₁ = A⁻¹·M,   α₃ = A⁻¹·(αm·M + αf·(γ·Δt·C + β·Δt²·K)),   A = M + γ·Δt·C + β·Δt²·K
///
/// where M, C and K inside α₁ and α₃ are of the whole structure, springs and specimens
/// included. Nothing is inverted: with B = A·(I − α₃) = (1−αm)·M + (1−αf)·(γ·Δt·C +
/// β·Δt²·K)
///
///   a_k = a + B⁻¹·A·(M⁻¹·((1 − αf)·q_k + αf·q) − a)
///
/// αm = (2ρ∞ − 1)/(ρ∞ + 1), αf = ρ∞/(ρ∞ + 1), γ = 1/2 − αm + αf, β = (1/2 + γ)²/4.
/// ρ∞ = 1 is the method of Chen and Ricles (2008), with the frequencies of the constant
/// average acceleration.
///
/// Sites are taken at d_k, v_k and a_{k−1}. Second order in displacement; v_k is the
/// velocity γ·Δt before: d_k − d = Δt·v + Δt²·(1/2 + γ)·α₁·a is Taylor's series only with
/// v = ḋ(t − γ·Δt). (Where ρ∞ = 1, v_k = (d_k − d)/Δt.) A start with velocity or with
/// acceleration is therefore of first order, unless its velocity is given as ḋ(−γ·Δt).
class KrAlpha final : public TimeIntegrator {
 public:
  /// @param time_step     Δt [s]
  /// @param rho_infinity  spectral radius at infinite frequency, in [0, 1]; 1: no damping
  /// @throws std::invalid_argument if a DOF has no mass, naming it, or ρ∞ is outside
  KrAlpha(const structure::StructuralModel& structure, double time_step,
          double rho_infinity);

  const char* name() const noexcept override { return "kr-alpha"; }
  bool uses_previous_step_force() const noexcept override { return false; }
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
  struct Parameters {
    explicit Parameters(double rho_infinity);
    double alpha_f, alpha_m, gamma, beta;
  };

  /// y ← A·x, modal damping included.
  void multiply_a(const Eigen::VectorXd& x, Eigen::VectorXd& y) noexcept;

  double time_step_;
  Parameters parameters_;
  double stable_time_step_;
  structure::SparseMatrix whole_mass_;
  structure::SparseMatrix a_matrix_;
  Eigen::MatrixXd modes_;
  Eigen::VectorXd modal_weight_;  // γ·Δt·c
  UnbalancedForce unbalanced_;
  EffectiveSolver mass_;
  EffectiveSolver a_solver_;
  EffectiveSolver b_solver_;
  Eigen::VectorXd unbalance_;  // q of the step closed last
  Eigen::VectorXd work_;
  Eigen::VectorXd change_;
  Eigen::VectorXd modal_;
};

}  // namespace trestle::integration
