#pragma once

#include "numerical/integration/condensed_newton.h"
#include "numerical/integration/effective_solver.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/integration/unbalanced_force.h"

namespace trestle::integration {

/// Weights of the generalised-alpha method: those of inertia and of all other forces at the
/// end of a step, and Newmark's β and γ.
struct GeneralisedAlpha {
  double inertia = 1.0;  ///< α_I
  double force = 1.0;    ///< α_F
  double beta = 0.25;
  double gamma = 0.5;

  /// Chung and Hulbert (1993). At 1: Newmark's method, whose equation of motion holds at
  /// the end of each step.
  /// @param rho_infinity  spectral radius at infinite frequency, 0 to 1
  /// @throws std::invalid_argument outside
  static GeneralisedAlpha by_radius(double rho_infinity);
  /// Hilber, Hughes and Taylor (1977).
  /// @param alpha  -1/3 to 0
  /// @throws std::invalid_argument outside
  static GeneralisedAlpha by_alpha(double alpha);

  bool newmark() const noexcept { return inertia == 1.0 && force == 1.0; }
};

struct ImplicitSettings {
  GeneralisedAlpha weights{};
  int iterations = 3;  ///< Newton steps of nonlinear springs and hinges, >= 2
  double stop_above = std::numeric_limits<double>::infinity();  ///< residual [N | N·m]
};

/// Implicit in the whole structure, the forces of nonlinear springs and hinges included, by
/// a fixed number of Newton steps (CondensedNewton):
///
///   d̃ = d + Δt·v + Δt²·(1/2 − β)·a,   ṽ = v + Δt·(1 − γ)·a
///   M·[(1−α_I)·a + α_I·a_k] + (1−α_F)·g + α_F·g_k = 0,   g = C·v + K·d + Bᵀ·φ + r − p
///   d_k = d̃ + β·Δt²·a_k,   v_k = ṽ + γ·Δt·a_k,   r_k = r̃(d̃) + K_e·(d_k − d̃)
///
/// Sites are taken at d̃, as by OperatorSplitting, and so are its limits of the step:
/// viscosity and inertia in their forces stay explicit. Second order.
class Implicit final : public TimeIntegrator {
 public:
  /// @param structure  its springs' laws must outlive this, and belong to it from now on
  /// @param time_step  Δt [s]
  /// @throws std::invalid_argument if a setting is outside its range, or if a massless DOF
  ///         has a viscous or heavy specimen; NotPositiveDefinite if nothing holds a
  ///         massless DOF
  Implicit(const structure::StructuralModel& structure, double time_step,
           const ImplicitSettings& settings);

  const char* name() const noexcept override { return "implicit"; }
  bool uses_previous_step_force() const noexcept override { return false; }
  bool carries_site_force() const noexcept override { return true; }
  const CondensedNewton* springs() const noexcept override { return &newton_; }
  int order() const noexcept override { return 2; }
  double stable_time_step() const noexcept override { return stable_time_step_; }
  void start(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void predict(StructuralState& state) noexcept override;
  DofMotion target(const StructuralState& predicted,
                   Eigen::Index equation) const noexcept override;
  void correct(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  double time_step_;
  GeneralisedAlpha weights_;
  double stable_time_step_;
  std::vector<int> massless_;
  structure::SparseMatrix mass_matrix_;
  UnbalancedForce unbalanced_;
  EffectiveSolver mass_;
  EffectiveSolver effective_;
  CondensedNewton newton_;
  Eigen::VectorXd unbalance_;  // −g of the step closed last
  Eigen::VectorXd work_;
  Eigen::VectorXd change_;
};

}  // namespace trestle::integration
