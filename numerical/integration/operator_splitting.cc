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
    : OperatorSplitting(structure, time_step,
                        GeneralisedAlpha{.inertia = 1.0,
                                         .force = 1.0 + checked_alpha(alpha),
                                         .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha),
                                         .gamma = 0.5 * (1.0 - 2.0 * alpha)},
                        -alpha) {}

OperatorSplitting::OperatorSplitting(const structure::StructuralModel& structure,
                                     double time_step, const GeneralisedAlpha& weights)
    : OperatorSplitting(structure, time_step, weights, 1.0 - weights.force) {}

OperatorSplitting::OperatorSplitting(const structure::StructuralModel& structure,
                                     double time_step, const GeneralisedAlpha& weights,
                                     double before)
    : time_step_(time_step),
      weights_(weights),
      before_(before),
      stable_time_step_(splitting_limit(structure)),
      massless_(massless_equations(structure)),
      mass_matrix_(structure.mass),
      unbalanced_(structure),
      mass_(regularised_mass(structure), {}, 0.0),
      effective_(weights.inertia * structure.mass +
                     weights.force * weights.gamma * time_step * structure.damping +
                     weights.force * weights.beta * time_step * time_step *
                         structure::combined_splitting_stiffness(structure),
                 structure.modal_damping, weights.force * weights.gamma * time_step),
      unbalance_(Eigen::VectorXd::Zero(structure.equations)),
      inertia_(unbalance_) {}

void OperatorSplitting::start(const Eigen::VectorXd& load,
                              StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, unbalance_);
  for (const int i : massless_) unbalance_[i] = 0.0;
  state.acceleration = unbalance_;
  mass_.solve(state.acceleration);
}

void OperatorSplitting::predict(StructuralState& state) noexcept {
  const double dt = time_step_;
  state.displacement +=
      dt * (state.velocity + dt * (0.5 - weights_.beta) * state.acceleration);
  state.velocity += dt * (1.0 - weights_.gamma) * state.acceleration;
}

DofMotion OperatorSplitting::target(const StructuralState& predicted,
                                    Eigen::Index equation) const noexcept {
  const double a = predicted.acceleration[equation];
  return {predicted.displacement[equation],
          predicted.velocity[equation] + weights_.gamma * time_step_ * a, a};
}

void OperatorSplitting::correct(const Eigen::VectorXd& load,
                                StructuralState& state) noexcept {
  const bool whole = weights_.inertia == 1.0;
  if (!whole) inertia_.noalias() = mass_matrix_ * state.acceleration;
  unbalanced_.evaluate(load, state.displacement, state.velocity, state.acceleration);
  if (before_ != 0.0)
    state.acceleration = weights_.force * state.acceleration + before_ * unbalance_;
  if (!whole) state.acceleration -= (1.0 - weights_.inertia) * inertia_;
  effective_.solve(state.acceleration);
  state.displacement += weights_.beta * time_step_ * time_step_ * state.acceleration;
  state.velocity += weights_.gamma * time_step_ * state.acceleration;
  if (before_ != 0.0) {
    unbalance_ *= -before_;
    if (whole) {
      unbalance_.noalias() += mass_matrix_ * state.acceleration;
    } else {
      unbalance_ += (1.0 - weights_.inertia) * inertia_;
      inertia_.noalias() = mass_matrix_ * state.acceleration;
      unbalance_ += weights_.inertia * inertia_;
    }
    unbalance_ /= weights_.force;
  }
}

}  // namespace trestle::integration
