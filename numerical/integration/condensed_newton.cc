#include "numerical/integration/condensed_newton.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace trestle::integration {

CondensedNewton::CondensedNewton(const structure::StructuralModel& structure,
                                 const EffectiveSolver& effective, const Scheme& scheme,
                                 int iterations, double stop_above)
    : scheme_(scheme), iterations_(iterations), stop_above_(stop_above) {
  if (iterations < 2)
    throw std::invalid_argument("implicit: iterations is " + std::to_string(iterations) +
                                "; must be at least 2, or yielding members are wrong by "
                                "more than 10 %");
  if (structure.springs.size() > kMostSprings)
    throw std::invalid_argument(
        "implicit: the model has " + std::to_string(structure.springs.size()) +
        " nonlinear springs and hinges, limit " + std::to_string(kMostSprings) +
        ". Take operator-splitting, or give laws to fewer members");
  for (const structure::NonlinearSpring& spring : structure.springs)
    links_.push_back(
        {spring.elongation, spring.law.get(), spring.law->initial_stiffness()});
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
      slope_ = change_ = Eigen::VectorXd::Zero(count);
  jacobian_.resize(count, count);
}

void CondensedNewton::start(const StructuralStateOf<double>& state) noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    elongation_[at] = structure::motion_of(links_[i].elongation, state.displacement);
    force_[at] = links_[i].law->advance(
        elongation_[at], structure::motion_of(links_[i].elongation, state.velocity));
  }
  solved_force_ = force_;
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

/// φ − k₀·e and its slope at the present deformations, from the committed state.
void CondensedNewton::try_laws() noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const double rate =
        predicted_rate_[at] + scheme_.rate * (elongation_[at] - predicted_[at]);
    const materials::LawResponse response = links_[i].law->trial(elongation_[at], rate);
    force_[at] = response.force;
    beyond_[at] = response.force - links_[i].initial_stiffness * elongation_[at];
    slope_[at] =
        response.stiffness + scheme_.rate * response.damping - links_[i].initial_stiffness;
  }
}

void CondensedNewton::iterate(const Eigen::VectorXd& acceleration,
                              Eigen::VectorXd& change) noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    linear_[at] =
        predicted_[at] +
        scheme_.displacement * structure::motion_of(links_[i].elongation, acceleration);
  }
  for (int round = 0; round < iterations_; ++round) {
    try_laws();
    change_ = linear_ - elongation_;
    change_.noalias() -= compliance_ * beyond_;
    for (Eigen::Index i = 0; i < change_.size(); ++i)
      for (Eigen::Index j = 0; j < change_.size(); ++j)
        jacobian_(i, j) = compliance_(i, j) * slope_[j] + (i == j ? 1.0 : 0.0);
    eliminate();
    elongation_ += change_;
    beyond_.array() += slope_.array() * change_.array();
  }
  change.setZero();
  solved_force_ = beyond_;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    structure::add_force(links_[i].elongation, beyond_[at], change);
    solved_force_[at] += links_[i].initial_stiffness * elongation_[at];
  }
  try_laws();
  residual_ = 0.0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    links_[i].law->commit();
    residual_ = std::max(residual_, std::abs(force_[at] - solved_force_[at]));
  }
}

/// change_ ← jacobian_⁻¹ · change_, by elimination with partial pivoting. Eigen's own would
/// take memory for large matrices.
void CondensedNewton::eliminate() noexcept {
  const Eigen::Index count = change_.size();
  for (Eigen::Index k = 0; k < count; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < count; ++i)
      if (std::abs(jacobian_(i, k)) > std::abs(jacobian_(pivot, k))) pivot = i;
    if (pivot != k) {
      for (Eigen::Index j = k; j < count; ++j)
        std::swap(jacobian_(k, j), jacobian_(pivot, j));
      std::swap(change_[k], change_[pivot]);
    }
    const double* const from = &jacobian_(k, 0);
    const double reciprocal = 1.0 / from[k];
    for (Eigen::Index i = k + 1; i < count; ++i) {
      double* const row = &jacobian_(i, 0);
      const double factor = row[k] * reciprocal;
      // The column of a spring that is elastic now is that of the unit matrix.
      if (factor == 0.0) continue;
      for (Eigen::Index j = k + 1; j < count; ++j) row[j] -= factor * from[j];
      change_[i] -= factor * change_[k];
    }
  }
  for (Eigen::Index k = count - 1; k >= 0; --k) {
    for (Eigen::Index j = k + 1; j < count; ++j) change_[k] -= jacobian_(k, j) * change_[j];
    change_[k] /= jacobian_(k, k);
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
    structure::add_force(links_[i].elongation, factor * (force_[at] - solved_force_[at]),
                         sum);
  }
}

}  // namespace trestle::integration
