#include "numerical/integration/full_newton.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "numerical/structure/combined_matrices.h"

namespace trestle::integration {
namespace {

using PatternEntries = std::vector<Eigen::Triplet<double>>;

/// Pairs of terms of springs, and of equations of members, as a matrix of ones.
structure::SparseMatrix newton_pattern(const structure::StructuralModel& structure,
                                       const structure::SparseMatrix& linear) {
  PatternEntries entries;
  for (int j = 0; j < linear.outerSize(); ++j)
    for (structure::SparseMatrix::InnerIterator entry(linear, j); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), j, 1.0);
  const auto couple = [&entries](int one, int other) {
    entries.emplace_back(one, other, 1.0);
    entries.emplace_back(other, one, 1.0);
  };
  for (const structure::NonlinearSpring& spring : structure.springs)
    for (const structure::DofTerm& row : spring.elongation) {
      for (const structure::DofTerm& column : spring.elongation)
        couple(row.equation, column.equation);
      if (spring.partner < 0) continue;
      const auto partner = static_cast<std::size_t>(spring.partner);
      for (const structure::DofTerm& column : structure.springs[partner].elongation)
        couple(row.equation, column.equation);
    }
  for (const structure::AssembledMember& member : structure.members)
    for (std::size_t i = 0; member.law && i < member.equations.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) couple(member.equations[i], member.equations[j]);
  structure::SparseMatrix pattern(structure.equations, structure.equations);
  pattern.setFromTriplets(entries.begin(), entries.end());
  return pattern;
}

}  // namespace

FullNewton::FullNewton(const structure::StructuralModel& structure,
                       const structure::SparseMatrix& linear, const Scheme& scheme,
                       int iterations, double stop_above)
    : members_(structure),
      linear_(linear),
      scheme_(scheme),
      iterations_(iterations),
      stop_above_(stop_above),
      tangent_(newton_pattern(structure, linear)),
      damping_(structure) {
  if (iterations < 2)
    throw std::invalid_argument("implicit: iterations is " + std::to_string(iterations) +
                                "; must be at least 2, or yielding members are wrong by "
                                "more than 10 %");
  for (const structure::NonlinearSpring& spring : structure.springs) {
    if (spring.law->states_rate())
      throw std::invalid_argument(
          "implicit: the link `" + spring.link +
          "` is viscous with an exponent below 1 and no brace, in a structure with " +
          (structure::have_laws(structure.members)
               ? "fibre members or corotational geometry"
               : "more nonlinear springs than Newton's method takes alone") +
          "; give it the stiffness of its brace");
    springs_.push_back({.elongation = spring.elongation,
                        .law = spring.law.get(),
                        .partner = spring.partner,
                        .places = {},
                        .with_partner = {}});
  }
  find_places(linear);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(structure.equations);
  predicted_ = now_ = {zero, zero, zero};
  last_ = residual_ = change_ = zero;
  elongation_ = force_ = slope_ = beside_ =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(springs_.size()));
}

void FullNewton::find_places(const structure::SparseMatrix& linear) {
  constant_.assign(tangent_.values().size(), 0.0);
  for (int j = 0; j < linear.outerSize(); ++j)
    for (structure::SparseMatrix::InnerIterator entry(linear, j); entry; ++entry)
      if (entry.row() >= j)
        constant_[static_cast<std::size_t>(
            tangent_.place(static_cast<int>(entry.row()), j))] = entry.value();
  for (std::size_t at = 0; at < springs_.size(); ++at) {
    Spring& spring = springs_[at];
    for (std::size_t i = 0; i < spring.elongation.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        spring.places.push_back(
            tangent_.place(spring.elongation[i].equation, spring.elongation[j].equation));
    if (spring.partner < static_cast<Eigen::Index>(at)) continue;
    for (const structure::DofTerm& row : spring.elongation)
      for (const structure::DofTerm& column :
           springs_[static_cast<std::size_t>(spring.partner)].elongation)
        spring.with_partner.push_back(tangent_.place(row.equation, column.equation));
  }
  const auto find_place = [this](int row, int column, double) {
    member_places_.push_back(tangent_.place(row, column));
  };
  members_.each_tangent(find_place);
  damping_.members().each_derivative(find_place);
}

void FullNewton::start(const StructuralStateOf<double>& state) noexcept {
  last_ = state.displacement;
  now_ = state;
  try_laws();
  for (const Spring& spring : springs_) spring.law->commit();
  members_.commit();
  damping_.commit();
  damp();
  residual_.setZero();
  largest_ = 0.0;
}

void FullNewton::predict(const StructuralStateOf<double>& predicted) noexcept {
  predicted_.displacement = predicted.displacement;
  predicted_.velocity = predicted.velocity;
}

void FullNewton::try_laws() noexcept {
  members_.trial(now_.displacement);
  for (std::size_t i = 0; i < springs_.size(); ++i)
    elongation_[static_cast<Eigen::Index>(i)] =
        structure::motion_of(springs_[i].elongation, now_.displacement);
  for (std::size_t i = 0; i < springs_.size(); ++i)
    if (springs_[i].partner >= 0)
      springs_[i].law->foresee(elongation_[static_cast<Eigen::Index>(i)]);
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const materials::LawResponse response = springs_[i].law->trial(
        elongation_[at], structure::motion_of(springs_[i].elongation, now_.velocity));
    force_[at] = response.force;
    slope_[at] = response.stiffness + scheme_.rate * response.damping;
    beside_[at] = response.beside;
    if (damping_.empty()) continue;
    slope_[at] += scheme_.rate * damping_.by_rate(i);
    beside_[at] += scheme_.rate * damping_.by_partner(i);
    damping_.tried(i, response);
  }
  damp();
}

/// Forces of damping on the tangents of the last step, at the present velocity.
void FullNewton::damp() noexcept {
  if (damping_.empty()) return;
  const auto rate = [this](std::size_t spring) {
    return structure::motion_of(springs_[spring].elongation, now_.velocity);
  };
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const Eigen::Index partner = springs_[i].partner;
    damping_.evaluate(i, rate(i),
                      partner >= 0 ? rate(static_cast<std::size_t>(partner)) : 0.0);
  }
  damping_.members().evaluate(now_.velocity);
}

/// Motion at the present acceleration.
void FullNewton::move() noexcept {
  now_.displacement = predicted_.displacement + scheme_.displacement * now_.acceleration;
  now_.velocity =
      predicted_.velocity + scheme_.rate * scheme_.displacement * now_.acceleration;
}

/// residual_ ← b − A·a − w·(γ + Bᵀ·φ + damping) at the present acceleration.
void FullNewton::evaluate(const Eigen::VectorXd& load) noexcept {
  move();
  try_laws();
  residual_ = load;
  residual_.noalias() -= linear_ * now_.acceleration;
  members_.add(-scheme_.weight, residual_);
  add_forces(-scheme_.weight, residual_);
  damping_.add(-scheme_.weight, residual_);
}

void FullNewton::fill_tangent() noexcept {
  const std::span<double> values = tangent_.values();
  std::copy(constant_.begin(), constant_.end(), values.begin());
  const double factor = scheme_.weight * scheme_.displacement;
  std::size_t at = 0;
  members_.each_tangent([&](int, int, double value) {
    values[static_cast<std::size_t>(member_places_[at++])] += factor * value;
  });
  damping_.members().each_derivative([&](int, int, double value) {
    values[static_cast<std::size_t>(member_places_[at++])] += factor * scheme_.rate * value;
  });
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const Spring& spring = springs_[i];
    const auto here = static_cast<Eigen::Index>(i);
    const auto add = [&](int place, double value) {
      values[static_cast<std::size_t>(place)] += factor * value;
    };
    std::size_t pair = 0;
    for (std::size_t j = 0; j < spring.elongation.size(); ++j)
      for (std::size_t k = 0; k <= j; ++k)
        add(spring.places[pair++], spring.elongation[j].coefficient *
                                       spring.elongation[k].coefficient * slope_[here]);
    if (spring.with_partner.empty()) continue;
    const structure::DofTerms& other =
        springs_[static_cast<std::size_t>(spring.partner)].elongation;
    const double beside = 0.5 * (beside_[here] + beside_[spring.partner]);
    pair = 0;
    for (const structure::DofTerm& row : spring.elongation)
      for (const structure::DofTerm& column : other) {
        // The tangent has c_r·c_c of this pair in both triangles; on the diagonal both
        // fall on one place.
        const double twice = row.equation == column.equation ? 2.0 : 1.0;
        add(spring.with_partner[pair++],
            twice * row.coefficient * column.coefficient * beside);
      }
  }
}

/// The acceleration with which the step ends there.
void FullNewton::move_to(const Eigen::VectorXd& displacement) noexcept {
  now_.acceleration = (displacement - predicted_.displacement) / scheme_.displacement;
}

void FullNewton::newton_step(const Eigen::VectorXd& load) noexcept {
  evaluate(load);
  fill_tangent();
  tangent_.factor();
  change_ = residual_;
  tangent_.solve(change_);
  now_.acceleration += change_;
}

void FullNewton::commit() noexcept {
  for (const Spring& spring : springs_) spring.law->commit();
  members_.commit();
  damping_.commit();
  last_ = now_.displacement;
}

void FullNewton::solve(Eigen::VectorXd& load) noexcept {
  move_to(last_);
  for (int round = 0; round < iterations_; ++round) newton_step(load);
  evaluate(load);
  largest_ = residual_.size() > 0 ? residual_.cwiseAbs().maxCoeff() / scheme_.weight : 0.0;
  commit();
  load = now_.acceleration;
}

void FullNewton::step_from(const Eigen::VectorXd& displacement,
                           Eigen::VectorXd& load) noexcept {
  move_to(displacement);
  newton_step(load);
  load = now_.acceleration;
}

void FullNewton::commit_at(const Eigen::VectorXd& displacement,
                           const Eigen::VectorXd& load) noexcept {
  evaluate(load);
  largest_ = residual_.size() > 0 ? residual_.cwiseAbs().maxCoeff() / scheme_.weight : 0.0;
  move_to(displacement);
  evaluate(load);
  commit();
}

double FullNewton::elongation(std::size_t spring) const noexcept {
  return elongation_[static_cast<Eigen::Index>(spring)];
}

double FullNewton::force(std::size_t spring) const noexcept {
  return force_[static_cast<Eigen::Index>(spring)];
}

void FullNewton::add_forces(double factor, Eigen::VectorXd& sum) const noexcept {
  for (std::size_t i = 0; i < springs_.size(); ++i)
    structure::add_force(springs_[i].elongation,
                         factor * force_[static_cast<Eigen::Index>(i)], sum);
}

}  // namespace trestle::integration
