#include "numerical/substructure/structural_substructure.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace trestle::substructure {
namespace {

Channels channels_of(const std::vector<structure::NamedDof>& dofs) {
  Channels channels;
  for (const structure::NamedDof& dof : dofs) {
    const bool turns = dof.kind == DofKind::kRotation;
    channels.push_back({dof.name + (turns ? ".disp_rad" : ".disp_m"), turns ? "rad" : "m"});
    channels.push_back(
        {dof.name + (turns ? ".vel_rad_s" : ".vel_m_s"), turns ? "rad/s" : "m/s"});
    channels.push_back(
        {dof.name + (turns ? ".acc_rad_s2" : ".acc_m_s2"), turns ? "rad/s^2" : "m/s^2"});
  }
  return channels;
}

void subtract_site(const SiteInterface& interface, const InterfaceVector& force,
                   Eigen::VectorXd& load) noexcept {
  for (std::size_t i = 0; i < interface.equations.size(); ++i)
    load[interface.equations[i]] -= force[static_cast<Eigen::Index>(i)];
}

void check(const StructuralSubstructureParts& parts) {
  if (!parts.integrator) throw std::invalid_argument("frame: no integrator");
  if (!parts.undivided.empty() && parts.undivided.size() != parts.interfaces.size())
    throw std::invalid_argument("frame: one specimen per interface, or none at all");
  if (!parts.shares.empty() && parts.shares.size() != parts.undivided.size())
    throw std::invalid_argument("frame: one share per undivided specimen, or none at all");
  if (!parts.initial.preload.empty() &&
      parts.initial.preload.size() != parts.interfaces.size())
    throw std::invalid_argument("frame: one preload per interface, or none at all");
  if (!parts.twins.empty() && !parts.undivided.empty())
    throw std::invalid_argument("frame: no site answers, so that no twin can follow");
  if (!parts.twins.empty() && parts.integrator->commands() > 1)
    throw std::invalid_argument("frame: a twin follows one answer per step");
  for (const SiteInterface& interface : parts.interfaces) {
    if (interface.equations.size() > static_cast<std::size_t>(kMaxInterfaceDofs))
      throw std::invalid_argument("frame: too many DOFs at one interface");
    for (const int equation : interface.equations)
      if (equation < 0 || equation >= parts.structure.equations)
        throw std::invalid_argument("frame: an interface DOF that the model does not have");
  }
}

/// Which of the commands of its step was answered last; 0: step 0.
double iteration_of(std::int64_t step, int commands) {
  return step > 0 ? static_cast<double>((step - 1) % commands + 1) : 0.0;
}

/// The integrator has its own copies; a large model need not be kept twice.
void free_matrices(structure::StructuralModel& structure) {
  for (structure::SparseMatrix* matrix :
       {&structure.mass, &structure.damping, &structure.stiffness,
        &structure.experimental_mass, &structure.experimental_damping,
        &structure.experimental_stiffness, &structure.experimental_yielding})
    *matrix = structure::SparseMatrix();
  structure.modal_damping = {};
  structure.held = {};
}

}  // namespace

StructuralSubstructure::StructuralSubstructure(StructuralSubstructureParts parts)
    : parts_(std::move(parts)), channels_(channels_of(parts_.recorded)) {
  check(parts_);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(parts_.structure.equations);
  state_ = {zero, zero, zero};
  if (commands() > 1) within_.predicted = state_;
  load_ = zero;
  for (const SiteInterface& interface : parts_.interfaces)
    forces_.emplace_back(
        InterfaceVector::Zero(static_cast<Eigen::Index>(interface.equations.size())));
  if (!parts_.undivided.empty())
    for (const SiteInterface& interface : parts_.interfaces)
      own_.targets.push_back(
          InterfaceMotion::zero(static_cast<Eigen::Index>(interface.equations.size())));
  parts_.shares.resize(parts_.undivided.size());
  own_.inertia.resize(parts_.undivided.size());
  const auto add_channels = [this](const Channels& more) {
    channels_.insert(channels_.end(), more.begin(), more.end());
  };
  for (const structure::NonlinearSpring& spring : parts_.structure.springs)
    spring.law->set_time_step(parts_.time_step);
  newton_ = parts_.integrator->springs();
  members_ = integration::MemberForces(parts_.structure);
  SiteEquations of_sites;
  for (const SiteInterface& interface : parts_.interfaces)
    of_sites.push_back(interface.equations);
  outputs_ = OutputRecord(parts_.outputs, parts_.structure, parts_.excitation, of_sites);
  add_channels(outputs_.channels());
  twins_ = TwinUpdating(parts_.twins, parts_.structure.springs);
  add_channels(twins_.channels());
  std::vector<structure::SiteBase> bases;
  for (const SiteInterface& interface : parts_.interfaces) bases.push_back(interface.base);
  bases_ = SiteBases(std::move(bases), parts_.structure.held.size());
  if (outputs_.needs_springs()) springs_ = SpringForces(parts_.structure);
  if (newton_ != nullptr) channels_.push_back({"residual_N", "N"});
  if (commands() > 1) channels_.push_back({"iteration", "1"});
  if (parts_.record_energies) {
    energies_.emplace(
        parts_.structure, parts_.excitation.gravity(),
        EnergyAccount::Carried{.sites = parts_.integrator->carries_site_force(),
                               .springs = newton_ == nullptr});
    add_channels(energies_->channels());
  }
  free_matrices(parts_.structure);
  prepare();
}

void StructuralSubstructure::prepare() {
  step_ = -1;
  if (commands() > 1)
    within_.ended.setZero(
        static_cast<Eigen::Index>(channels_.size() - 3 * parts_.recorded.size()));
  const InitialState& initial = parts_.initial;
  state_.displacement.setZero();
  state_.velocity.setZero();
  if (initial.gravity.size() > 0) state_.displacement = initial.gravity;
  if (initial.displacement.size() > 0) state_.displacement += initial.displacement;
  if (initial.velocity.size() > 0) state_.velocity = initial.velocity;
  state_.acceleration.setZero();
  for (InterfaceVector& force : forces_) force.setZero();
  begin_preloaded();
  for (const structure::NonlinearSpring& spring : parts_.structure.springs)
    spring.law->reset();
  if (!initial.laws.empty()) {
    SnapshotReader laws(initial.laws);
    for (const structure::NonlinearSpring& spring : parts_.structure.springs)
      spring.law->restore(laws);
  }
  twins_.reset();
  members_.reset();
  if (!initial.member_laws.empty()) {
    SnapshotReader laws(initial.member_laws);
    members_.restore(laws);
  }
  for (std::size_t i = 0; i < parts_.undivided.size(); ++i) {
    const UndividedShare& share = parts_.shares[i];
    const double period =
        parts_.time_step / commands() / (share.rate > 0.0 ? share.rate : 1.0);
    parts_.undivided[i]->prepare(period);
    own_.inertia[i] = share.rate > 0.0 ? math::CarriedInertia(share.own_mass, period,
                                                              share.own_mass.rows())
                                       : math::CarriedInertia();
  }
}

std::int64_t StructuralSubstructure::steps() const noexcept {
  const std::int64_t steps = parts_.excitation.steps();
  return steps > 0 ? commands() * (steps - 1) + 1 : steps;
}

/// The last command was not the last of its step.
bool StructuralSubstructure::between_steps() const noexcept {
  return step_ > 0 && step_ % commands() != 0;
}

/// Comes to the next command, one of several in a step.
void StructuralSubstructure::iterate(std::int64_t step) noexcept {
  const std::int64_t before = (step - 1) / commands();
  const auto command = static_cast<int>(step - before * commands());
  if (command == 1) {
    within_.predicted = state_;
    parts_.integrator->predict(within_.predicted);
  }
  load_by(before + 1);
  parts_.integrator->iterate(load_, within_.predicted, command);
}

void StructuralSubstructure::predict(std::int64_t step,
                                     std::span<SiteTarget> requests) noexcept {
  const bool solve_now = parts_.integrator->uses_previous_step_force();
  if (step > 0 && commands() > 1)
    iterate(step);
  else if (step > 0 || solve_now)
    parts_.integrator->predict(state_);
  if (energies_)
    energies_->predicted(step > 0 ? parts_.integrator->asked(state_) : state_.displacement);
  if (solve_now) {
    load_by(step);
    parts_.integrator->correct(load_, state_);
    account(step);
  }
  bases_.move(parts_.excitation, step);
  for (std::size_t i = 0; i < own_.targets.size(); ++i)
    fill_targets(step, i, parts_.interfaces[i].equations, own_.targets[i]);
  if (!own_.targets.empty()) return;
  for (std::size_t i = 0; i < requests.size(); ++i)
    fill_targets(step, i, parts_.interfaces[i].controlled, requests[i].target);
}

void StructuralSubstructure::fill_targets(std::int64_t step, std::size_t site,
                                          const std::vector<int>& equations,
                                          InterfaceMotion& target) const noexcept {
  const bool preloaded = parts_.interfaces[site].preloaded;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const int equation = equations[i];
    const auto at = static_cast<Eigen::Index>(i);
    const integration::DofMotion motion =
        step > 0 || parts_.integrator->uses_previous_step_force()
            ? parts_.integrator->target(state_, equation)
            : integration::DofMotion{state_.displacement[equation],
                                     state_.velocity[equation], 0.0};
    target.displacement[at] = preloaded && parts_.initial.gravity.size() > 0
                                  ? motion.displacement - parts_.initial.gravity[equation]
                                  : motion.displacement;
    target.velocity[at] = motion.velocity;
    target.acceleration[at] = motion.acceleration;
  }
  bases_.make_relative(site, target);
}

bool StructuralSubstructure::correct(std::int64_t step,
                                     std::span<const SiteResponse> answers) noexcept {
  const bool solved = parts_.integrator->uses_previous_step_force();
  // Driven by displacement, the other schemes learn nothing from the initial measurement.
  if (step < 0 && !solved) return true;
  take_forces(step, answers);
  step_ = step;
  // Nothing is computed with this answer before the next command.
  if (between_steps()) return true;
  if (!solved) end_step(step / commands());
  if (commands() > 1)
    record_beside(
        std::span(within_.ended.data(), static_cast<std::size_t>(within_.ended.size())));
  if (step >= 0 && !twins_.empty()) twins_.observe(step, answers);
  // Whatever is not a number reaches the acceleration first; the sum tells it in one pass.
  if (newton_ != nullptr && newton_->residual() > newton_->stop_above()) return false;
  return std::isfinite(state_.acceleration.sum());
}

/// The structure's own step.
void StructuralSubstructure::end_step(std::int64_t step) noexcept {
  load_by(step);
  if (step == 0) {
    parts_.integrator->start(load_, state_);
  } else if (commands() > 1) {
    parts_.integrator->correct(load_, within_.predicted);
    std::swap(state_, within_.predicted);
  } else {
    parts_.integrator->correct(load_, state_);
  }
  account(step);
}

ExcessiveResidual StructuralSubstructure::excessive_residual() const noexcept {
  if (newton_ == nullptr || !(newton_->residual() > newton_->stop_above())) return {};
  return {.residual = newton_->residual(), .limit = newton_->stop_above()};
}

/// Takes the forces of the specimens at the targets of this step; at the opening, at rest.
void StructuralSubstructure::take_forces(std::int64_t step,
                                         std::span<const SiteResponse> answers) noexcept {
  if (own_.targets.empty()) {
    for (std::size_t i = 0; i < answers.size(); ++i) forces_[i] = answers[i].force;
  } else {
    if (step < 0) return;
    for (std::size_t i = 0; i < own_.targets.size(); ++i) forces_[i] = force_of(i);
  }
  for (std::size_t i = 0; i < parts_.initial.preload.size(); ++i)
    forces_[i] += parts_.initial.preload[i];
}

/// The specimens' forces before the first answer.
void StructuralSubstructure::begin_preloaded() noexcept {
  for (std::size_t i = 0; i < parts_.initial.preload.size(); ++i)
    forces_[i] = parts_.initial.preload[i];
}

/// Returns the force of the undivided specimen at its target of this step.
InterfaceVector StructuralSubstructure::force_of(std::size_t specimen) noexcept {
  const InterfaceMotion& target = own_.targets[specimen];
  const double rate = parts_.shares[specimen].rate;
  math::CarriedInertia& inertia = own_.inertia[specimen];
  SpecimenModel& model = *parts_.undivided[specimen];
  if (inertia.none())
    return model.advance(target.displacement, rate * target.velocity,
                         rate * rate * target.acceleration);
  inertia.pass(target.displacement);
  InterfaceVector force =
      model.advance(target.displacement, rate * target.velocity, inertia.acceleration());
  inertia.take_out(force);
  return force;
}

/// p − f of one step: springs at their predicted motion, sites with their last responses.
void StructuralSubstructure::load_by(std::int64_t step) noexcept {
  parts_.excitation.load(step, load_);
  if (energies_) account_forces();
  if (newton_ == nullptr) {
    subtract_springs();
    subtract_members();
  }
  for (std::size_t i = 0; i < forces_.size(); ++i)
    subtract_site(parts_.interfaces[i], forces_[i], load_);
}

/// The load before anything is taken from it, and the sites' forces as they enter.
void StructuralSubstructure::account_forces() noexcept {
  EnergyAccount::Forces& forces = energies_->forces();
  forces.load = load_;
  forces.springs.setZero();
  forces.sites.setZero();
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    const std::vector<int>& equations = parts_.interfaces[i].equations;
    for (std::size_t j = 0; j < equations.size(); ++j)
      forces.sites[equations[j]] += forces_[i][static_cast<Eigen::Index>(j)];
  }
}

void StructuralSubstructure::account(std::int64_t step) noexcept {
  if (!energies_) return;
  EnergyAccount::Forces& forces = energies_->forces();
  if (newton_ != nullptr) energies_->add_springs(*newton_);
  if (!members_.empty()) {
    members_.add_if(true, 1.0, forces.springs);
    forces.members.setZero();
    members_.add_if(false, 1.0, forces.members);
  }
  if (step == 0)
    energies_->begin(state_);
  else
    energies_->step(state_);
}

void StructuralSubstructure::subtract_springs() noexcept {
  std::size_t index = 0;
  for (const structure::NonlinearSpring& spring : parts_.structure.springs)
    if (spring.partner >= 0)
      spring.law->foresee(structure::motion_of(spring.elongation, state_.displacement));
  for (const structure::NonlinearSpring& spring : parts_.structure.springs) {
    const double elongation = structure::motion_of(spring.elongation, state_.displacement);
    const double force = spring.law->advance(elongation);
    structure::add_force(spring.elongation, -force, load_);
    if (!springs_.empty()) springs_.predicted(index, elongation, force);
    ++index;
    if (energies_)
      structure::add_force(spring.elongation, force, energies_->forces().springs);
  }
}

/// What their laws add to the stiffness matrix at the prediction.
void StructuralSubstructure::subtract_members() noexcept {
  if (members_.empty()) return;
  members_.trial(state_.displacement);
  members_.commit();
  members_.add(-1.0, load_);
}

StepView StructuralSubstructure::view() const noexcept {
  return {.state = state_,
          .excitation = parts_.excitation,
          .step = step_ < 0 ? step_ : step_ / commands(),
          .springs = springs_,
          .iterated = newton_,
          .sites = forces_};
}

void StructuralSubstructure::record(std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const structure::NamedDof& dof : parts_.recorded) {
    const integration::DofMotion motion =
        between_steps() ? parts_.integrator->target(state_, dof.equation)
                        : integration::DofMotion{state_.displacement[dof.equation],
                                                 state_.velocity[dof.equation],
                                                 state_.acceleration[dof.equation]};
    row[at++] = parts_.record_from_gravity && parts_.initial.gravity.size() > 0
                    ? motion.displacement - parts_.initial.gravity[dof.equation]
                    : motion.displacement;
    row[at++] = motion.velocity;
    row[at++] = motion.acceleration;
  }
  if (!between_steps()) return record_beside(row.subspan(at));
  // The laws stand where the present command tries them, which is the end of no step.
  std::copy(within_.ended.begin(), within_.ended.end(),
            row.begin() + static_cast<std::ptrdiff_t>(at));
  at += static_cast<std::size_t>(within_.ended.size());
  if (energies_) at -= energies_->channels().size();
  row[at - 1] = iteration_of(step_, commands());
}

/// What is recorded beside motions, of the step that has just ended.
void StructuralSubstructure::record_beside(std::span<double> row) const noexcept {
  std::size_t at = outputs_.channels().size();
  outputs_.write(view(), row.first(at));
  twins_.write(row.subspan(at, twins_.channels().size()));
  at += twins_.channels().size();
  if (newton_ != nullptr) row[at++] = newton_->residual();
  if (commands() > 1) row[at++] = iteration_of(step_, commands());
  if (energies_) energies_->write(row.subspan(at));
}

void StructuralSubstructure::snapshot(SnapshotWriter& snapshot) const {
  snapshot.add(state_.displacement);
  snapshot.add(state_.velocity);
  snapshot.add(state_.acceleration);
  for (const InterfaceVector& force : forces_) snapshot.add(force);
  parts_.integrator->save(snapshot);
  for (const structure::NonlinearSpring& spring : parts_.structure.springs)
    spring.law->save(snapshot);
  twins_.save(snapshot);
  members_.save(snapshot);
  for (const auto& specimen : parts_.undivided) specimen->save(snapshot);
  for (const math::CarriedInertia& inertia : own_.inertia) inertia.save(snapshot);
  if (outputs_.needs_step() || commands() > 1) snapshot.add(static_cast<double>(step_));
  if (commands() > 1) {
    snapshot.add(within_.predicted.displacement);
    snapshot.add(within_.predicted.velocity);
    snapshot.add(within_.predicted.acceleration);
    snapshot.add(within_.ended);
  }
  if (!springs_.empty()) springs_.save(snapshot);
  if (energies_) energies_->save(snapshot);
}

void StructuralSubstructure::restore(SnapshotReader& snapshot) {
  snapshot.fill(state_.displacement);
  snapshot.fill(state_.velocity);
  snapshot.fill(state_.acceleration);
  for (InterfaceVector& force : forces_) snapshot.fill(force);
  parts_.integrator->restore(snapshot);
  for (const structure::NonlinearSpring& spring : parts_.structure.springs)
    spring.law->restore(snapshot);
  twins_.restore(snapshot);
  members_.restore(snapshot);
  for (const auto& specimen : parts_.undivided) specimen->restore(snapshot);
  for (math::CarriedInertia& inertia : own_.inertia) inertia.restore(snapshot);
  if (outputs_.needs_step() || commands() > 1)
    step_ = static_cast<std::int64_t>(snapshot.next());
  if (commands() > 1) {
    snapshot.fill(within_.predicted.displacement);
    snapshot.fill(within_.predicted.velocity);
    snapshot.fill(within_.predicted.acceleration);
    snapshot.fill(within_.ended);
  }
  if (!springs_.empty()) springs_.restore(snapshot);
  if (energies_) energies_->restore(snapshot, state_);
}

}  // namespace trestle::substructure
