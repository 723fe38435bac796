#include "numerical/integration/kr_alpha.h"

#include <limits>
#include <stdexcept>
#include <string>

#include "numerical/integration/mass_checks.h"
#include "numerical/integration/stable_time_step.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::integration {
namespace {

double checked_rho(double rho_infinity) {
  if (rho_infinity >= 0.0 && rho_infinity <= 1.0) return rho_infinity;
  throw std::invalid_argument("kr-alpha: rho_infinity is " + std::to_string(rho_infinity) +
                              "; must lie between 0 and 1");
}

/// Inertia in the sites' forces is taken at the acceleration before: it must stay below
/// that of the numerical part. Stiffness and viscosity are taken where they are integrated.
double alpha_limit(const structure::StructuralModel& structure) {
  require_mass_everywhere(structure, "kr-alpha");
  const structure::SparseMatrix none(structure.equations, structure.equations);
  return stable_time_step({.mass = structure.mass,
                           .experimental_mass = structure.experimental_mass,
                           .experimental_damping = none,
                           .stiffness = none,
                           .kappa = 0.0});
}

/// mass·M + viscous·γΔt·C + elastic·βΔt²·K of the whole structure, without modal damping.
structure::SparseMatrix combined(const structure::StructuralModel& structure, double mass,
                                 double viscous, double elastic) {
  return mass * structure::combined_mass(structure) +
         viscous * structure::combined_damping(structure) +
         elastic * structure::combined_splitting_stiffness(structure);
}

}  // namespace

KrAlpha::Parameters::Parameters(double rho_infinity)
    : alpha_f(checked_rho(rho_infinity) / (rho_infinity + 1.0)),
      alpha_m((2.0 * rho_infinity - 1.0) / (rho_infinity + 1.0)),
      gamma(0.5 - alpha_m + alpha_f),
      beta(0.25 * (0.5 + gamma) * (0.5 + gamma)) {}

KrAlpha::KrAlpha(const structure::StructuralModel& structure, double time_step,
                 double rho_infinity)
    : time_step_(time_step),
      parameters_(rho_infinity),
      stable_time_step_(alpha_limit(structure)),
      whole_mass_(structure::combined_mass(structure)),
      a_matrix_(combined(structure, 1.0, parameters_.gamma * time_step,
                         parameters_.beta * time_step * time_step)),
      modes_(structure.modal_damping.weighted_modes),
      modal_weight_(parameters_.gamma * time_step * structure.modal_damping.coefficient),
      unbalanced_(structure),
      mass_(structure.mass, {}, 0.0),
      a_solver_(a_matrix_, structure.modal_damping, parameters_.gamma * time_step),
      b_solver_(
          combined(structure, 1.0 - parameters_.alpha_m,
                   (1.0 - parameters_.alpha_f) * parameters_.gamma * time_step,
                   (1.0 - parameters_.alpha_f) * parameters_.beta * time_step * time_step),
          structure.modal_damping,
          (1.0 - parameters_.alpha_f) * parameters_.gamma * time_step),
      unbalance_(Eigen::VectorXd::Zero(structure.equations)),
      work_(unbalance_),
      change_(unbalance_),
      modal_(Eigen::VectorXd::Zero(modal_weight_.size())) {}

void KrAlpha::start(const Eigen::VectorXd& load, StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, unbalance_);
  state.acceleration = unbalance_;
  mass_.solve(state.acceleration);
}

void KrAlpha::predict(StructuralState& state) noexcept {
  work_.noalias() = whole_mass_ * state.acceleration;
  a_solver_.solve(work_);  // α₁·a
  const double dt = time_step_;
  state.displacement += dt * (state.velocity + dt * (0.5 + parameters_.gamma) * work_);
  state.velocity += dt * work_;
}

DofMotion KrAlpha::target(const StructuralState& predicted,
                          Eigen::Index equation) const noexcept {
  return {predicted.displacement[equation], predicted.velocity[equation],
          predicted.acceleration[equation]};
}

void KrAlpha::multiply_a(const Eigen::VectorXd& x, Eigen::VectorXd& y) noexcept {
  y.noalias() = a_matrix_ * x;
  if (modal_weight_.size() == 0) return;
  modal_.noalias() = modes_.transpose() * x;
  modal_.array() *= modal_weight_.array();
  y.noalias() += modes_ * modal_;
}

void KrAlpha::correct(const Eigen::VectorXd& load, StructuralState& state) noexcept {
  const double keep = parameters_.alpha_f;
  unbalanced_.evaluate(load, state.displacement, state.velocity, work_);
  unbalance_ = (1.0 - keep) * work_ + keep * unbalance_;  // weighted, for this step only
  mass_.solve(unbalance_);
  unbalance_ -= state.acceleration;
  multiply_a(unbalance_, change_);
  b_solver_.solve(change_);
  state.acceleration += change_;
  unbalance_.swap(work_);
}

}  // namespace trestle::integration
