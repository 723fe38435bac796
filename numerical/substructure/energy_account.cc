#include "numerical/substructure/energy_account.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "numerical/integration/tangent_damping.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::substructure {

EnergyAccount::EnergyAccount(const structure::StructuralModel& structure,
                             const Eigen::VectorXd& gravity, const Carried& carried)
    : mass_(structure.mass),
      damping_(structure.damping),
      stiffness_(structure.stiffness),
      of_springs_(structure.equations, structure.equations),
      of_sites_(structure.equations, structure.equations),
      modal_(structure.modal_damping),
      gravity_(gravity) {
  if (carried.sites) of_sites_ = structure.experimental_stiffness;
  if (carried.springs)
    of_springs_ = structure::splitting_stiffness(structure) - structure.stiffness;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(structure.equations);
  now_ = last_ = {zero, zero, zero, {}, {}};
  if (structure::have_laws(structure.members)) {
    now_.members = last_.members = zero;
    of_yielding_ = structure::yielding_members(structure);
    stiffness_ -= of_yielding_;
  }
  for (const structure::NonlinearSpring& spring : structure.springs) {
    springs_.push_back({spring.elongation, spring.law.get(), spring.law->is_damper()});
    dampers_ = dampers_ || springs_.back().damper;
  }
  if (dampers_ || structure.details.tangent_factor) now_.dampers = last_.dampers = zero;
  const bool laws = std::any_of(springs_.begin(), springs_.end(),
                                [](const Spring& spring) { return !spring.damper; });
  const bool members_yield = of_yielding_.nonZeros() > 0;
  hysteretic_ = laws && !carried.springs && !members_yield && std::isfinite(stored(zero));
  channels_ = {{"energy.input_J", "J"},   {"energy.gravity_J", "J"},
               {"energy.damping_J", "J"}, {"energy.strain_J", "J"},
               {"energy.springs_J", "J"}, {"energy.sites_J", "J"},
               {"energy.kinetic_J", "J"}, {"energy.balance", "1"}};
  if (hysteretic_) channels_.push_back({"energy.hysteretic_J", "J"});
  predicted_ = displacement_ = zero;
  scratch_ = {zero, Eigen::VectorXd::Zero(modal_.coefficient.size())};
  own_now_ = own_last_ = {zero, zero};
}

/// By the springs that are no dampers.
double EnergyAccount::stored(const Eigen::VectorXd& displacement) const noexcept {
  double sum = 0.0;
  for (const Spring& spring : springs_)
    if (!spring.damper)
      sum +=
          spring.law->stored_energy(structure::motion_of(spring.elongation, displacement));
  return sum;
}

void EnergyAccount::add_springs(const integration::NewtonForces& found) noexcept {
  if (now_.dampers.size() > 0) {
    now_.dampers.setZero();
    found.damping().add(1.0, now_.dampers);
  }
  if (!dampers_) return found.add_forces(1.0, now_.springs);
  for (std::size_t i = 0; i < springs_.size(); ++i)
    structure::add_force(springs_[i].elongation, found.force(i),
                         springs_[i].damper ? now_.dampers : now_.springs);
}

void EnergyAccount::begin(const integration::StructuralState& state) noexcept {
  sums_ = {};
  evaluate(state);
  sums_.kinetic_at_first = sums_.largest = sums_.kinetic;
  if (hysteretic_) sums_.stored = sums_.stored_at_first = stored(state.displacement);
  displacement_ = state.displacement;
  std::swap(now_, last_);
  std::swap(own_now_, own_last_);
}

void EnergyAccount::step(const integration::StructuralState& state) noexcept {
  evaluate(state);
  scratch_.moved = state.displacement - displacement_;
  const auto work = [this](const Eigen::VectorXd& now, const Eigen::VectorXd& last) {
    return 0.5 * (scratch_.moved.dot(now) + scratch_.moved.dot(last));
  };
  const double by_gravity = gravity_.size() > 0 ? scratch_.moved.dot(gravity_) : 0.0;
  sums_.gravity += by_gravity;
  sums_.input += work(now_.load, last_.load) - by_gravity;
  sums_.damping += work(own_now_.damping, own_last_.damping);
  sums_.strain += work(own_now_.elastic, own_last_.elastic);
  sums_.springs += work(now_.springs, last_.springs);
  sums_.sites += work(now_.sites, last_.sites);
  if (hysteretic_) sums_.stored = stored(state.displacement);
  sums_.largest = std::max(
      {sums_.largest, std::abs(sums_.input) + std::abs(sums_.gravity), sums_.kinetic});
  displacement_ = state.displacement;
  std::swap(now_, last_);
  std::swap(own_now_, own_last_);
}

/// Forces at the end of the step, those of springs and sites carried there as the scheme
/// does.
void EnergyAccount::evaluate(const integration::StructuralState& state) noexcept {
  scratch_.moved = state.displacement - predicted_;
  now_.springs.noalias() += of_springs_ * scratch_.moved;
  now_.sites.noalias() += of_sites_ * scratch_.moved;
  own_now_.damping.noalias() = damping_ * state.velocity;
  if (scratch_.modal_rates.size() > 0) {
    scratch_.modal_rates.noalias() = modal_.weighted_modes.transpose() * state.velocity;
    scratch_.modal_rates.array() *= modal_.coefficient.array();
    own_now_.damping.noalias() += modal_.weighted_modes * scratch_.modal_rates;
  }
  if (now_.dampers.size() > 0) own_now_.damping += now_.dampers;
  own_now_.elastic.noalias() = stiffness_ * state.displacement;
  if (now_.members.size() > 0) {
    own_now_.elastic += now_.members;
    now_.springs.noalias() += of_yielding_ * state.displacement;
  }
  scratch_.moved.noalias() = mass_ * state.velocity;
  sums_.kinetic = 0.5 * state.velocity.dot(scratch_.moved);
}

double EnergyAccount::balance() const noexcept {
  const double left = sums_.input + sums_.gravity - sums_.damping - sums_.strain -
                      sums_.springs - sums_.sites -
                      (sums_.kinetic - sums_.kinetic_at_first);
  return sums_.largest > 0.0 ? left / sums_.largest : 0.0;
}

void EnergyAccount::write(std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const double value : {sums_.input, sums_.gravity, sums_.damping, sums_.strain,
                             sums_.springs, sums_.sites, sums_.kinetic, balance()})
    row[at++] = value;
  if (hysteretic_) row[at++] = sums_.springs - (sums_.stored - sums_.stored_at_first);
}

template <typename Self, typename Archive>
void EnergyAccount::visit(Self& self, Archive& archive) {
  auto& sums = self.sums_;
  archive(sums.input, sums.gravity, sums.damping, sums.strain, sums.springs, sums.sites,
          sums.kinetic, sums.kinetic_at_first, sums.largest, self.last_.load,
          self.last_.springs, self.last_.sites, self.last_.members, self.last_.dampers);
  if (self.hysteretic_) archive(sums.stored, sums.stored_at_first);
}

void EnergyAccount::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void EnergyAccount::restore(SnapshotReader& snapshot,
                            const integration::StructuralState& state) {
  visit(*this, snapshot);
  const Sums sums = sums_;
  now_ = last_;
  predicted_ = displacement_ = state.displacement;
  evaluate(state);
  std::swap(own_now_, own_last_);
  sums_ = sums;
}

}  // namespace trestle::substructure
