#include "numerical/integration/constant_average_acceleration.h"

#include <limits>
#include <stdexcept>

#include "numerical/integration/mass_checks.h"
#include "numerical/integration/stable_time_step.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::integration {
namespace {

structure::SparseMatrix effective_matrix(const structure::StructuralModel& structure,
                                         double time_step) {
  return structure.mass + 0.5 * time_step * structure.damping +
         0.25 * time_step * time_step * structure::splitting_stiffness(structure);
}

double limit(const structure::StructuralModel& structure, SiteForceTiming site_force) {
  if (site_force == SiteForceTiming::kPreviousStep)
    return has_experimental_part(structure) ? std::numeric_limits<double>::quiet_NaN()
                                            : std::numeric_limits<double>::infinity();
  require_mass_at_sites(structure, "constant-average-acceleration",
                        SpecimenContribution::kAny);
  const structure::SparseMatrix mass = regularised_mass(structure);
  return stable_time_step({.mass = mass,
                           .experimental_mass = structure.experimental_mass,
                           .experimental_damping = structure.experimental_damping,
                           .stiffness = structure.experimental_stiffness,
                           .kappa = 0.5});
}

}  // namespace

ConstantAverageAcceleration::ConstantAverageAcceleration(
    const structure::StructuralModel& structure, double time_step,
    SiteForceTiming site_force)
    : time_step_(time_step),
      site_force_(site_force),
      stable_time_step_(limit(structure, site_force)),
      massless_(massless_equations(structure)),
      unbalanced_(structure),
      mass_(regularised_mass(structure), {}, 0.0),
      effective_(effective_matrix(structure, time_step), structure.modal_damping,
                 0.5 * time_step) {}

void ConstantAverageAcceleration::start(const Eigen::VectorXd& load,
                                        StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, state.acceleration);
  for (const int i : massless_) state.acceleration[i] = 0.0;
  mass_.solve(state.acceleration);
}

void ConstantAverageAcceleration::predict(StructuralState& state) noexcept {
  predict_average_acceleration(time_step_, state);
}

DofMotion ConstantAverageAcceleration::target(const StructuralState& predicted,
                                              Eigen::Index equation) const noexcept {
  const double a = predicted.acceleration[equation];
  if (uses_previous_step_force())
    return {predicted.displacement[equation], predicted.velocity[equation], a};
  return {predicted.displacement[equation] + 0.25 * time_step_ * time_step_ * a,
          predicted.velocity[equation] + 0.5 * time_step_ * a, a};
}

void ConstantAverageAcceleration::correct(const Eigen::VectorXd& load,
                                          StructuralState& state) noexcept {
  unbalanced_.evaluate(load, state.displacement, state.velocity, state.acceleration);
  effective_.solve(state.acceleration);
  correct_average_acceleration(time_step_, state);
}

}  // namespace trestle::integration
