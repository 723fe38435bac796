#pragma once

#include <optional>

#include "numerical/integration/command_path.h"
#include "numerical/integration/condensed_newton.h"
#include "numerical/integration/effective_solver.h"
#include "numerical/integration/full_newton.h"
#include "numerical/integration/generalised_alpha.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/integration/unbalanced_force.h"

namespace trestle::integration {

struct ImplicitSettings {
  GeneralisedAlpha weights{};
  int iterations = 3;  ///< Newton steps of nonlinear springs and hinges, >= 2
  double stop_above = std::numeric_limits<double>::infinity();  ///< residual [N | N·m]
  /// The sites are asked at each of the iterations, >= 3 then.
  bool sites_iterate = false;
  int polynomial = 2;  ///< of the commands then: CommandPath
};

/// Implicit in the whole structure, the forces of nonlinear springs, hinges and members
/// with laws included, by a fixed number of Newton steps: on the deformations of the
/// springs alone (CondensedNewton), or of the whole structure (FullNewton) if they are too
/// many or members have laws:
///
///   d̃ = d + Δt·v + Δt²·(1/2 − β)·a,   ṽ = v + Δt·(1 − γ)·a
///   M·[(1−α_I)·a + α_I·a_k] + (1−α_F)·g + α_F·g_k = 0,   g = C·v + K·d + Bᵀ·φ + r − p
///   d_k = d̃ + β·Δt²·a_k,   v_k = ṽ + γ·Δt·a_k,   r_k = r̃(d̃) + K_e·(d_k − d̃)
///
/// Sites are taken at d̃, as by OperatorSplitting, and so are its limits of the step:
/// viscosity and inertia in their forces stay explicit. Second order.
///
/// With sites_iterate a step has N = iterations commands, and the sites' forces are in
/// Newton's method (Schellenberg, Mahin and Fenves 2009). Command i brings everything, the
/// numerical springs included, to the place x = i/N of CommandPath; the next Newton step
/// begins there with the forces answered and K_e as the specimens' tangent:
///
///   r = r̃_i + K_e·(d − Q_i),   φ = φ(B·Q_i) + ∂φ·B·(d − Q_i).
///
/// The one after the last command gives d_k, v_k and a_k. It is not sent: laws and
/// specimens stay where the last command brought them, and the residual is by how much the
/// laws would differ at d_k. The target's velocity and acceleration are those along the
/// path.
class Implicit final : public TimeIntegrator {
 public:
  /// @param structure  its springs' laws must outlive this, and belong to it from now on
  /// @param time_step  Δt [s]
  /// @throws std::invalid_argument if a setting is outside its range, if a massless DOF
  ///         has a viscous or heavy specimen, if members have laws beside modal damping, or
  ///         if sites_iterate with a law that is known by its rate alone;
  ///         NotPositiveDefinite if nothing holds a massless DOF
  Implicit(const structure::StructuralModel& structure, double time_step,
           const ImplicitSettings& settings);

  const char* name() const noexcept override { return "implicit"; }
  bool uses_previous_step_force() const noexcept override { return false; }
  bool carries_site_force() const noexcept override { return true; }
  const NewtonForces* springs() const noexcept override {
    return condensed_ ? static_cast<const NewtonForces*>(&*condensed_) : &*full_;
  }
  int commands() const noexcept override { return path_ ? iterations_ : 1; }
  const Eigen::VectorXd& asked(const StructuralState& predicted) const noexcept override {
    return path_ ? path_->displacement() : predicted.displacement;
  }
  int order() const noexcept override { return 2; }
  double stable_time_step() const noexcept override { return stable_time_step_; }
  void start(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void predict(StructuralState& state) noexcept override;
  void iterate(const Eigen::VectorXd& load, const StructuralState& predicted,
               int command) noexcept override;
  DofMotion target(const StructuralState& predicted,
                   Eigen::Index equation) const noexcept override;
  void correct(const Eigen::VectorXd& load, StructuralState& state) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  void make_path(const structure::StructuralModel& structure,
                 const ImplicitSettings& settings);
  void begin_right_side(const StructuralState& predicted) noexcept;
  void right_side(const Eigen::VectorXd& load, const StructuralState& predicted) noexcept;
  void solve_step() noexcept;
  void solve_from_command(const Eigen::VectorXd& load,
                          const StructuralState& predicted) noexcept;
  void end_step(StructuralState& state) noexcept;

  double time_step_;
  int iterations_;
  GeneralisedAlpha weights_;
  double stable_time_step_;
  std::vector<int> massless_;
  structure::SparseMatrix mass_matrix_;
  UnbalancedForce unbalanced_;
  EffectiveSolver mass_;
  EffectiveSolver effective_;
  std::optional<CondensedNewton> condensed_;
  std::optional<FullNewton> full_;  // in its place
  Eigen::VectorXd unbalance_;       // −g of the step closed last
  Eigen::VectorXd work_;
  Eigen::VectorXd change_;
  std::optional<CommandPath> path_;   // sites_iterate
  structure::SparseMatrix of_sites_;  // K_e then
  Eigen::VectorXd right_side_;        // of the last step_from() then
};

}  // namespace trestle::integration
