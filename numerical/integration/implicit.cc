#include "numerical/integration/implicit.h"

#include <stdexcept>
#include <string>

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
                                        double time_step, const GeneralisedAlpha& weights,
                                        const structure::SparseMatrix& stiffness) {
  return weights.inertia * structure.mass +
         weights.force * weights.gamma * time_step * structure.damping +
         weights.force * weights.beta * time_step * time_step * stiffness;
}

}  // namespace

Implicit::Implicit(const structure::StructuralModel& structure, double time_step,
                   const ImplicitSettings& settings)
    : time_step_(time_step),
      iterations_(settings.iterations),
      weights_(settings.weights),
      stable_time_step_(implicit_limit(structure)),
      massless_(massless_equations(structure)),
      mass_matrix_(structure.mass),
      unbalanced_(structure),
      mass_(regularised_mass(structure), {}, 0.0),
      effective_(implicit_matrix(structure, time_step, weights_,
                                 structure::combined_stiffness(structure)),
                 structure.modal_damping, weights_.force * weights_.gamma * time_step),
      unbalance_(Eigen::VectorXd::Zero(structure.equations)),
      work_(unbalance_),
      change_(unbalance_) {
  if (settings.sites_iterate) make_path(structure, settings);
  const double displacement = weights_.beta * time_step * time_step;
  const double rate = weights_.gamma / (weights_.beta * time_step);
  const bool many = structure.springs.size() > CondensedNewton::kMostSprings;
  if (!many && !structure::have_laws(structure.members)) {
    condensed_.emplace(
        structure, effective_,
        CondensedNewton::Scheme{
            .displacement = displacement, .rate = rate, .weight = weights_.force},
        settings.iterations, settings.stop_above);
    return;
  }
  if (structure.modal_damping.coefficient.size() > 0)
    throw std::invalid_argument(
        (many ? "implicit: " + std::to_string(structure.springs.size()) +
                    " nonlinear springs and hinges, above " +
                    std::to_string(CondensedNewton::kMostSprings) + ","
              : std::string("implicit: fibre members and corotational geometry")) +
        " need the damping as a sparse matrix; take rayleigh in place of modal damping");
  full_.emplace(structure,
                implicit_matrix(structure, time_step, weights_,
                                structure.stiffness + structure.experimental_stiffness),
                FullNewton::Scheme{
                    .displacement = displacement, .rate = rate, .weight = weights_.force},
                settings.iterations, settings.stop_above);
}

void Implicit::make_path(const structure::StructuralModel& structure,
                         const ImplicitSettings& settings) {
  if (settings.iterations < 3)
    throw std::invalid_argument(
        "implicit: iterations is " + std::to_string(settings.iterations) +
        "; with sites: each-iteration it must be at least 3, or the last command is still "
        "far from the end of the step");
  for (const structure::NonlinearSpring& spring : structure.springs)
    if (spring.law->states_rate())
      throw std::invalid_argument(
          "implicit: the link `" + spring.link +
          "` is viscous with an exponent below 1 and no brace: it has no tangent at rest, "
          "where the commands of sites: each-iteration begin; give it the stiffness of its "
          "brace, or take sites: once");
  path_.emplace(settings.polynomial, time_step_, structure.equations);
  of_sites_ = structure.experimental_stiffness;
  right_side_ = work_;
}

void Implicit::start(const Eigen::VectorXd& load, StructuralState& state) noexcept {
  work_ = load;
  if (full_) {
    full_->start(state);
    full_->add_member_forces(-1.0, work_);
    full_->add_forces(-1.0, work_);
  } else {
    condensed_->start(state);
    condensed_->add_forces(-1.0, work_);
  }
  springs()->damping().add(-1.0, work_);
  unbalanced_.evaluate(work_, state.displacement, state.velocity, unbalance_);
  for (const int i : massless_) unbalance_[i] = 0.0;
  state.acceleration = unbalance_;
  mass_.solve(state.acceleration);
  if (path_) path_->start(state.displacement);
}

void Implicit::predict(StructuralState& state) noexcept {
  if (path_) path_->begin_step(state.displacement);
  const double dt = time_step_;
  state.displacement +=
      dt * (state.velocity + dt * (0.5 - weights_.beta) * state.acceleration);
  state.velocity += dt * (1.0 - weights_.gamma) * state.acceleration;
}

DofMotion Implicit::target(const StructuralState& predicted,
                           Eigen::Index equation) const noexcept {
  if (path_) return path_->motion(equation);
  const double a = predicted.acceleration[equation];
  return {predicted.displacement[equation],
          predicted.velocity[equation] + weights_.gamma * time_step_ * a, a};
}

/// What the last step gives to the equation of this one; kept for the next.
void Implicit::begin_right_side(const StructuralState& predicted) noexcept {
  if (weights_.newmark()) return;
  unbalance_ *= 1.0 - weights_.force;
  change_.noalias() = mass_matrix_ * predicted.acceleration;
  unbalance_ -= (1.0 - weights_.inertia) * change_;
}

/// work_ ← what A₀ or A, times the acceleration, shall be.
void Implicit::right_side(const Eigen::VectorXd& load,
                          const StructuralState& predicted) noexcept {
  unbalanced_.evaluate(load, predicted.displacement, predicted.velocity, work_);
  if (path_) {
    // The answers came from the last command.
    change_ = predicted.displacement - path_->displacement();
    work_.noalias() -= of_sites_ * change_;
  }
  if (full_)
    full_->predict(predicted);
  else
    condensed_->predict(predicted, work_);
  if (weights_.newmark()) return;
  work_ *= weights_.force;
  work_ += unbalance_;
}

void Implicit::iterate(const Eigen::VectorXd& load, const StructuralState& predicted,
                       int command) noexcept {
  if (command == 1) begin_right_side(predicted);
  solve_from_command(load, predicted);
  change_ = predicted.displacement + weights_.beta * time_step_ * time_step_ * work_;
  path_->move(change_, static_cast<double>(command) / iterations_);
}

/// work_ ← the acceleration by one Newton step from the last command.
void Implicit::solve_from_command(const Eigen::VectorXd& load,
                                  const StructuralState& predicted) noexcept {
  right_side(load, predicted);
  if (full_) {
    right_side_ = work_;
    return full_->step_from(path_->displacement(), work_);
  }
  effective_.solve(work_);
  if (condensed_->empty()) return;
  condensed_->step_from(path_->displacement(), work_, change_);
  effective_.solve(change_);
  work_ -= weights_.force * change_;
}

void Implicit::correct(const Eigen::VectorXd& load, StructuralState& state) noexcept {
  if (path_) {
    solve_from_command(load, state);
    if (full_)
      full_->commit_at(path_->displacement(), right_side_);
    else
      condensed_->commit_at(path_->displacement());
    return end_step(state);
  }
  begin_right_side(state);
  right_side(load, state);
  solve_step();
  end_step(state);
}

/// The state that belongs to the acceleration in work_.
void Implicit::end_step(StructuralState& state) noexcept {
  state.acceleration.swap(work_);
  state.displacement += weights_.beta * time_step_ * time_step_ * state.acceleration;
  state.velocity += weights_.gamma * time_step_ * state.acceleration;
  if (weights_.newmark()) return;
  change_.noalias() = mass_matrix_ * state.acceleration;
  unbalance_ = (weights_.inertia * change_ - unbalance_) / weights_.force;
  // With several commands the next step begins from what this one was solved with.
  if (path_) return;
  if (full_)
    full_->add_residual(1.0, unbalance_);
  else
    condensed_->add_residual(-1.0, unbalance_);
}

/// work_ ← the acceleration that belongs to it.
void Implicit::solve_step() noexcept {
  if (full_) return full_->solve(work_);
  effective_.solve(work_);
  if (condensed_->empty()) return;
  condensed_->iterate(work_, change_);
  effective_.solve(change_);
  work_ -= weights_.force * change_;
}

void Implicit::save(SnapshotWriter& snapshot) const {
  snapshot.add(unbalance_);
  full_ ? full_->save(snapshot) : condensed_->save(snapshot);
  if (path_) path_->save(snapshot);
}

void Implicit::restore(SnapshotReader& snapshot) {
  snapshot.fill(unbalance_);
  full_ ? full_->restore(snapshot) : condensed_->restore(snapshot);
  if (path_) path_->restore(snapshot);
}

}  // namespace trestle::integration
