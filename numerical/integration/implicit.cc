#include "numerical/integration/implicit.h"

#include <stdexcept>

#include "numerical/integration/mass_checks.h"
#include "numerical/integration/stable_time_step.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::integration {
namespace {

double implicit_limit(const structure::StructuralModel& structure) {
  require_mass_at_sites(structure, "implicit", SpecimenContribution::kViscousOrHeavy);
  const structure::SparseMatrix mass = regularised_mass(structure);
  return stable_time_step({.mass = mass,
                           .experimental_mass = structure.experimental_mass,
                           .experimental_damping = structure.experimental_damping,
                           .stiffness = structure.experimental_stiffness,
                           .kappa = 0.0});
}

structure::SparseMatrix implicit_matrix(const structure::StructuralModel& structure,
                                        double time_step, const GeneralisedAlpha& weights) {
  return weights.inertia * structure.mass +
         weights.force * weights.gamma * time_step * structure.damping +
         weights.force * weights.beta * time_step * time_step *
             structure::combined_stiffness(structure);
}

}  // namespace

GeneralisedAlpha GeneralisedAlpha::by_radius(double rho_infinity) {
  if (!(rho_infinity >= 0.0 && rho_infinity <= 1.0))
    throw std::invalid_argument("implicit: rho_infinity is " +
                                std::to_string(rho_infinity) +
                                "; must lie between 0 and 1");
  // Both weights are 1/2 then: the equation of motion of a step is that of its two ends,
  // and what is left over at one would return at the other.
  if (rho_infinity == 1.0) return {};
  const double sum = 1.0 + rho_infinity;
  return {.inertia = (2.0 - rho_infinity) / sum,
          .force = 1.0 / sum,
          .beta = 1.0 / (sum * sum),
          .gamma = 0.5 * (3.0 - rho_infinity) / sum};
}

GeneralisedAlpha GeneralisedAlpha::by_alpha(double alpha) {
  if (!(alpha >= -1.0 / 3.0 - 1e-12 && alpha <= 0.0))
    throw std::invalid_argument("implicit: alpha is " + std::to_string(alpha) +
                                "; must lie between -1/3 and 0");
  return {.inertia = 1.0,
          .force = 1.0 + alpha,
          .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha),
          .gamma = 0.5 * (1.0 - 2.0 * alpha)};
}

Implicit::Implicit(const structure::StructuralModel& structure, double time_step,
                   const ImplicitSettings& settings)
    : time_step_(time_step),
      weights_(settings.weights),
      stable_time_step_(implicit_limit(structure)),
      massless_(massless_equations(structure)),
      mass_matrix_(structure.mass),
      unbalanced_(structure),
      mass_(regularised_mass(structure), {}, 0.0),
      effective_(implicit_matrix(structure, time_step, weights_), structure.modal_damping,
                 weights_.force * weights_.gamma * time_step),
      newton_(structure, effective_,
              {.displacement = weights_.beta * time_step * time_step,
               .rate = weights_.gamma / (weights_.beta * time_step),
               .weight = weights_.force},
              settings.iterations, settings.stop_above),
      unbalance_(Eigen::VectorXd::Zero(structure.equations)),
      work_(unbalance_),
      change_(unbalance_) {}

void Implicit::start(const Eigen::VectorXd& load, StructuralState& state) noexcept {
  newton_.start(state);
  work_ = load;
  newton_.add_forces(-1.0, work_);
  unbalanced_.evaluate(work_, state.displacement, state.velocity, unbalance_);
  for (const int i : massless_) unbalance_[i] = 0.0;
  state.acceleration = unbalance_;
  mass_.solve(state.acceleration);
}

void Implicit::predict(StructuralState& state) noexcept {
  const double dt = time_step_;
  state.displacement +=
      dt * (state.velocity + dt * (0.5 - weights_.beta) * state.acceleration);
  state.velocity += dt * (1.0 - weights_.gamma) * state.acceleration;
}

DofMotion Implicit::target(const StructuralState& predicted,
                           Eigen::Index equation) const noexcept {
  const double a = predicted.acceleration[equation];
  return {predicted.displacement[equation],
          predicted.velocity[equation] + weights_.gamma * time_step_ * a, a};
}

void Implicit::correct(const Eigen::VectorXd& load, StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, work_);
  newton_.predict(state, work_);
  if (!weights_.newmark()) {
    // What the last step gives to the equation of this one; kept for the next.
    unbalance_ *= 1.0 - weights_.force;
    change_.noalias() = mass_matrix_ * state.acceleration;
    unbalance_ -= (1.0 - weights_.inertia) * change_;
    work_ *= weights_.force;
    work_ += unbalance_;
  }
  effective_.solve(work_);
  if (!newton_.empty()) {
    newton_.iterate(work_, change_);
    effective_.solve(change_);
    work_ -= weights_.force * change_;
  }
  state.acceleration.swap(work_);
  state.displacement += weights_.beta * time_step_ * time_step_ * state.acceleration;
  state.velocity += weights_.gamma * time_step_ * state.acceleration;
  if (weights_.newmark()) return;
  change_.noalias() = mass_matrix_ * state.acceleration;
  unbalance_ = (weights_.inertia * change_ - unbalance_) / weights_.force;
  newton_.add_residual(-1.0, unbalance_);
}

void Implicit::save(SnapshotWriter& snapshot) const {
  snapshot.add(unbalance_);
  newton_.save(snapshot);
}

void Implicit::restore(SnapshotReader& snapshot) {
  snapshot.fill(unbalance_);
  newton_.restore(snapshot);
}

}  // namespace trestle::integration
