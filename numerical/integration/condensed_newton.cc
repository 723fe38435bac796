#include "numerical/integration/condensed_newton.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace trestle::integration {
namespace {

constexpr double kLeastOwn = 1e-9;  // of the structure's compliance

}  // namespace

CondensedNewton::CondensedNewton(const structure::StructuralModel& structure,
                                 const EffectiveSolver& effective, const Scheme& scheme,
                                 int iterations, double stop_above)
    : scheme_(scheme),
      iterations_(iterations),
      stop_above_(stop_above),
      damping_(structure) {
  if (iterations < 2)
    throw std::invalid_argument("implicit: iterations is " + std::to_string(iterations) +
                                "; must be at least 2, or yielding members are wrong by "
                                "more than 10 %");
  if (structure.springs.size() > kMostSprings)
    throw std::invalid_argument("implicit: the model has " +
                                std::to_string(structure.springs.size()) +
                                " nonlinear springs and hinges, limit " +
                                std::to_string(kMostSprings) + "; FullNewton takes more");
  for (const structure::NonlinearSpring& spring : structure.springs) {
    links_.push_back({spring.elongation, spring.law.get(), spring.law->initial_stiffness(),
                      spring.partner, spring.law->states_rate()});
    any_by_force_ = any_by_force_ || links_.back().by_force;
  }
  const auto count = static_cast<Eigen::Index>(links_.size());
  compliance_.resize(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    Eigen::VectorXd column = Eigen::VectorXd::Zero(structure.equations);
    structure::add_force(links_[static_cast<std::size_t>(j)].elongation, 1.0, column);
    effective.solve(column);
    for (Eigen::Index i = 0; i < count; ++i)
      compliance_(i, j) =
          scheme.displacement * scheme.weight *
          structure::motion_of(links_[static_cast<std::size_t>(i)].elongation, column);
  }
  elongation_ = force_ = solved_force_ = predicted_ = predicted_rate_ = linear_ = beyond_ =
      slope_ = change_ = beside_ = Eigen::VectorXd::Zero(count);
  own_ = Eigen::VectorXd::Ones(count);
  std::vector<Eigen::Index> partners;
  for (const Link& link : links_) partners.push_back(link.partner);
  parts_ = divide_springs(compliance_, partners);
}

/// Tells laws of two directions where they will be tried.
void CondensedNewton::foresee() noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].partner >= 0)
      links_[i].law->foresee(elongation_[static_cast<Eigen::Index>(i)]);
}

double CondensedNewton::rate_of(Eigen::Index at) const noexcept {
  return predicted_rate_[at] + scheme_.rate * (elongation_[at] - predicted_[at]);
}

/// Returns the force of damping on a spring's tangent at the present deformations; zero
/// without such damping.
double CondensedNewton::damp(std::size_t spring) noexcept {
  if (damping_.empty()) return 0.0;
  const Eigen::Index partner = links_[spring].partner;
  return damping_.evaluate(spring, rate_of(static_cast<Eigen::Index>(spring)),
                           partner >= 0 ? rate_of(partner) : 0.0);
}

void CondensedNewton::move_to(const Eigen::VectorXd& displacement) noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i)
    elongation_[static_cast<Eigen::Index>(i)] =
        structure::motion_of(links_[i].elongation, displacement);
}

void CondensedNewton::start(const StructuralStateOf<double>& state) noexcept {
  move_to(state.displacement);
  foresee();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    predicted_[at] = elongation_[at];
    predicted_rate_[at] = structure::motion_of(links_[i].elongation, state.velocity);
    const materials::LawResponse response =
        links_[i].law->trial(elongation_[at], predicted_rate_[at]);
    links_[i].law->commit();
    force_[at] = response.force;
    if (!damping_.empty()) damping_.tried(i, response);
  }
  damping_.commit();
  solved_force_ = force_;
  for (std::size_t i = 0; i < links_.size(); ++i)
    solved_force_[static_cast<Eigen::Index>(i)] += damp(i);
  residual_ = 0.0;
}

void CondensedNewton::predict(const StructuralStateOf<double>& predicted,
                              Eigen::VectorXd& load) noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const Link& link = links_[i];
    predicted_[at] = structure::motion_of(link.elongation, predicted.displacement);
    predicted_rate_[at] = structure::motion_of(link.elongation, predicted.velocity);
    structure::add_force(link.elongation, -link.initial_stiffness * predicted_[at], load);
  }
}

/// φ − k₀·e and its slope at the present unknown, from the committed state.
void CondensedNewton::try_law(Eigen::Index at) noexcept {
  const Link& link = links_[static_cast<std::size_t>(at)];
  if (link.by_force) {
    const materials::RateResponse response = link.law->rate_by(force_[at]);
    elongation_[at] = predicted_[at] + (response.rate - predicted_rate_[at]) / scheme_.rate;
    // Dampers side by side at rest would leave the Jacobian singular.
    own_[at] = std::max(response.slope / scheme_.rate, kLeastOwn * compliance_(at, at));
    beyond_[at] = force_[at];
    slope_[at] = 1.0;
    return;
  }
  const materials::LawResponse response = link.law->trial(elongation_[at], rate_of(at));
  force_[at] = response.force;
  beyond_[at] = response.force - link.initial_stiffness * elongation_[at];
  slope_[at] =
      response.stiffness + scheme_.rate * response.damping - link.initial_stiffness;
  beside_[at] = response.beside;
  if (damping_.empty()) return;
  const auto spring = static_cast<std::size_t>(at);
  beyond_[at] += damp(spring);
  slope_[at] += scheme_.rate * damping_.by_rate(spring);
  beside_[at] += scheme_.rate * damping_.by_partner(spring);
}

void CondensedNewton::try_laws() noexcept {
  foresee();
  for (Eigen::Index i = 0; i < force_.size(); ++i) try_law(i);
}

/// φ with e(φ) + S_ii·φ = wanted, e as the law states it. Both terms rise with φ, so that
/// neither exceeds the whole; from that side Newton's method comes down to the root.
double CondensedNewton::own_force(Eigen::Index at, double wanted) const noexcept {
  constexpr int kMostCorrections = 60;
  const materials::RestoringForce& law = *links_[static_cast<std::size_t>(at)].law;
  const double compliance = compliance_(at, at);
  const double whole = wanted - predicted_[at] + predicted_rate_[at] / scheme_.rate;
  const double by_rate = law.force_by_rate(scheme_.rate * whole);
  const double by_compliance = whole / compliance;
  double force = std::abs(by_rate) < std::abs(by_compliance) ? by_rate : by_compliance;
  for (int i = 0; i < kMostCorrections; ++i) {
    const materials::RateResponse response = law.rate_by(force);
    const double left = response.rate / scheme_.rate + compliance * force - whole;
    const double change = left / (response.slope / scheme_.rate + compliance);
    force -= change;
    if (!(std::abs(change) > 1e-15 * std::abs(force))) break;
  }
  return force;
}

void CondensedNewton::solve_rates() noexcept {
  if (!any_by_force_) return;
  for (Eigen::Index i = 0; i < force_.size(); ++i) {
    if (!links_[static_cast<std::size_t>(i)].by_force) continue;
    const double others = compliance_.row(i).dot(beyond_) - compliance_(i, i) * beyond_[i];
    force_[i] = own_force(i, linear_[i] - others);
    try_law(i);
  }
}

/// Moves the unknowns, and φ − k₀·e by their slopes.
void CondensedNewton::apply_change() noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    (links_[i].by_force ? force_ : elongation_)[at] += change_[at];
    beyond_[at] += slope_[at] * change_[at];
    if (links_[i].partner >= 0)
      beyond_[links_[i].partner] += beside_[links_[i].partner] * change_[at];
  }
}

/// The laws at the deformations, and how far their forces are from those found.
void CondensedNewton::settle(bool commits) noexcept {
  residual_ = 0.0;
  foresee();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const materials::LawResponse response =
        links_[i].law->trial(elongation_[at], rate_of(at));
    residual_ = std::max(residual_, std::abs(response.force + damp(i) - solved_force_[at]));
    // Near rest a rate of rounding is a force: the one found is the better.
    if (!links_[i].by_force) force_[at] = response.force;
    if (!damping_.empty()) damping_.tried(i, response);
  }
  if (!commits) return;
  for (const Link& link : links_) link.law->commit();
  damping_.commit();
}

void CondensedNewton::newton_step() noexcept {
  try_laws();
  solve_rates();
  change_ = linear_ - elongation_;
  change_.noalias() -= compliance_ * beyond_;
  for (SpringPart& part : parts_) {
    const auto size = static_cast<Eigen::Index>(part.springs.size());
    for (Eigen::Index a = 0; a < size; ++a) {
      const Eigen::Index i = part.springs[static_cast<std::size_t>(a)];
      part.change[a] = change_[i];
      for (Eigen::Index b = 0; b < size; ++b) {
        const Eigen::Index j = part.springs[static_cast<std::size_t>(b)];
        const Eigen::Index partner = links_[static_cast<std::size_t>(j)].partner;
        double& entry = part.jacobian(a, b);
        entry = compliance_(i, j) * slope_[j] + (i == j ? own_[j] : 0.0);
        if (partner >= 0) entry += beside_[partner] * compliance_(i, partner);
      }
    }
    math::eliminate(part.jacobian, part.change);
    for (Eigen::Index a = 0; a < size; ++a)
      change_[part.springs[static_cast<std::size_t>(a)]] = part.change[a];
  }
  apply_change();
}

void CondensedNewton::iterate(const Eigen::VectorXd& acceleration,
                              Eigen::VectorXd& change) noexcept {
  search(acceleration, iterations_, change);
  settle(true);
}

void CondensedNewton::step_from(const Eigen::VectorXd& displacement,
                                const Eigen::VectorXd& acceleration,
                                Eigen::VectorXd& change) noexcept {
  move_to(displacement);
  search(acceleration, 1, change);
}

void CondensedNewton::commit_at(const Eigen::VectorXd& displacement) noexcept {
  settle(false);
  const double left = residual_;
  move_to(displacement);
  settle(true);
  residual_ = left;
}

/// Newton steps from the present deformations, and what the step is solved with then.
void CondensedNewton::search(const Eigen::VectorXd& acceleration, int rounds,
                             Eigen::VectorXd& change) noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    linear_[at] =
        predicted_[at] +
        scheme_.displacement * structure::motion_of(links_[i].elongation, acceleration);
  }
  for (int round = 0; round < rounds; ++round) newton_step();
  for (Eigen::Index i = 0; i < force_.size(); ++i)
    if (links_[static_cast<std::size_t>(i)].by_force)
      elongation_[i] = linear_[i] - compliance_.row(i).dot(beyond_);
  change.setZero();
  solved_force_ = beyond_;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    structure::add_force(links_[i].elongation, beyond_[at], change);
    solved_force_[at] += links_[i].initial_stiffness * elongation_[at];
  }
}

void CondensedNewton::add_forces(double factor, Eigen::VectorXd& sum) const noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i)
    structure::add_force(links_[i].elongation,
                         factor * force_[static_cast<Eigen::Index>(i)], sum);
}

void CondensedNewton::add_residual(double factor, Eigen::VectorXd& sum) const noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    structure::add_force(links_[i].elongation,
                         factor * (force_[at] + damping_.force(i) - solved_force_[at]),
                         sum);
  }
}

}  // namespace trestle::integration
