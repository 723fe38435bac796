#include "numerical/integration/operator_splitting.h"

#include <limits>
#include <stdexcept>

#include "numerical/integration/mass_checks.h"
#include "numerical/integration/stable_time_step.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::integration {
namespace {

double checked_alpha(double alpha) {
  if (alpha >= -1.0 / 3.0 - 1e-12 && alpha <= 0.0) return alpha;
  throw std::invalid_argument("operator-splitting: alpha is " + std::to_string(alpha) +
                              "; must lie between -1/3 and 0");
}

double splitting_limit(const structure::StructuralModel& structure) {
  require_mass_at_sites(structure, "operator-splitting",
                        SpecimenContribution::kViscousOrHeavy);
  const structure::SparseMatrix mass = regularised_mass(structure);
  return stable_time_step({.mass = mass,
                           .experimental_mass = structure.experimental_mass,
                           .experimental_damping = structure.experimental_damping,
                           .stiffness = structure.experimental_stiffness,
                           .kappa = 0.0});
}

}  // namespace

OperatorSplitting::OperatorSplitting(const structure::StructuralModel& structure,
                                     double time_step, double alpha)
    : time_step_(time_step),
      alpha_(checked_alpha(alpha)),
      beta_(0.25 * (1.0 - alpha) * (1.0 - alpha)),
      gamma_(0.5 * (1.0 - 2.0 * alpha)),
      stable_time_step_(splitting_limit(structure)),
      massless_(massless_equations(structure)),
      mass_matrix_(structure.mass),
      unbalanced_(structure),
      mass_(regularised_mass(structure), {}, 0.0),
      effective_(structure.mass + (1.0 + alpha) * gamma_ * time_step * structure.damping +
                     (1.0 + alpha) * beta_ * time_step * time_step *
                         structure::combined_stiffness(structure),
                 structure.modal_damping, (1.0 + alpha) * gamma_ * time_step),
      unbalance_(Eigen::VectorXd::Zero(structure.equations)) {}

void OperatorSplitting::start(const Eigen::VectorXd& load,
                              StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, unbalance_);
  for (const int i : massless_) unbalance_[i] = 0.0;
  state.acceleration = unbalance_;
  mass_.solve(state.acceleration);
}

void OperatorSplitting::predict(StructuralState& state) noexcept {
  const double dt = time_step_;
  state.displacement += dt * (state.velocity + dt * (0.5 - beta_) * state.acceleration);
  state.velocity += dt * (1.0 - gamma_) * state.acceleration;
}

DofMotion OperatorSplitting::target(const StructuralState& predicted,
                                    Eigen::Index equation) const noexcept {
  const double a = predicted.acceleration[equation];
  return {predicted.displacement[equation],
          predicted.velocity[equation] + gamma_ * time_step_ * a, a};
}

void OperatorSplitting::correct(const Eigen::VectorXd& load,
                                StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, state.acceleration);
  if (alpha_ != 0.0)
    state.acceleration = (1.0 + alpha_) * state.acceleration - alpha_ * unbalance_;
  effective_.solve(state.acceleration);
  state.displacement += beta_ * time_step_ * time_step_ * state.acceleration;
  state.velocity += gamma_ * time_step_ * state.acceleration;
  if (alpha_ != 0.0) {
    unbalance_ *= alpha_;
    unbalance_.noalias() += mass_matrix_ * state.acceleration;
    unbalance_ /= 1.0 + alpha_;
  }
}

}  // namespace trestle::integration
