#include "numerical/integration/explicit_newmark.h"

#include "numerical/integration/mass_checks.h"
#include "numerical/integration/stable_time_step.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::integration {
namespace {

const structure::StructuralModel& with_mass(const structure::StructuralModel& structure) {
  require_mass_everywhere(structure, "explicit-newmark");
  return structure;
}

}  // namespace

ExplicitNewmark::ExplicitNewmark(const structure::StructuralModel& structure,
                                 double time_step)
    : time_step_(time_step),
      stable_time_step_(trestle::integration::stable_time_step(
          {.mass = with_mass(structure).mass,
           .experimental_mass = structure.experimental_mass,
           .experimental_damping = structure.experimental_damping,
           .stiffness = structure::combined_splitting_stiffness(structure),
           .kappa = 0.25})),
      unbalanced_(structure),
      mass_(structure.mass, {}, 0.0),
      effective_(structure.mass + 0.5 * time_step * structure.damping,
                 structure.modal_damping, 0.5 * time_step) {}

void ExplicitNewmark::start(const Eigen::VectorXd& load, StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, state.acceleration);
  mass_.solve(state.acceleration);
}

void ExplicitNewmark::predict(StructuralState& state) noexcept {
  const double half = 0.5 * time_step_;
  state.velocity += half * state.acceleration;
  state.displacement += time_step_ * state.velocity;
}

DofMotion ExplicitNewmark::target(const StructuralState& predicted,
                                  Eigen::Index equation) const noexcept {
  const double a = predicted.acceleration[equation];
  return {predicted.displacement[equation],
          predicted.velocity[equation] + 0.5 * time_step_ * a, a};
}

void ExplicitNewmark::correct(const Eigen::VectorXd& load,
                              StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, state.acceleration);
  effective_.solve(state.acceleration);
  state.velocity += 0.5 * time_step_ * state.acceleration;
}

}  // namespace trestle::integration
