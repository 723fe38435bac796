#include "numerical/integration/static_newton.h"

#include <Eigen/SparseLU>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace trestle::integration {
namespace {

using Eigen::VectorXd;

constexpr int kMostCorrections = 100;
constexpr double kSettled = 1e-13;  // [m | rad]
constexpr double kRounding = 1e-9;  // part of the displacement

}  // namespace

StaticNewton::StaticNewton(const structure::StructuralModel& structure)
    : StaticNewton(structure, VectorXd::Zero(structure.equations)) {}

StaticNewton::StaticNewton(const structure::StructuralModel& structure,
                           const VectorXd& displacement)
    : structure_(structure),
      members_(structure),
      elastic_(structure.stiffness + structure.experimental_stiffness),
      displacement_(displacement) {}

void StaticNewton::reach(const VectorXd& load, double factor) {
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostCorrections; ++round) {
    const VectorXd change = solved(residual(load), factor);
    displacement_ += change;
    if (!std::isfinite(change.sum())) break;
    if (settles(change, last)) return commit(load);
  }
  fail(load, factor);
}

void StaticNewton::push(const VectorXd& constant, const VectorXd& pattern, int equation,
                        double displacement, double& factor) {
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostCorrections; ++round) {
    const double missing = displacement - displacement_[equation];
    VectorXd change = residual(constant + factor * pattern);
    factor += controlled(change, pattern, equation, missing, factor);
    if (!std::isfinite(change.sum() + factor)) break;
    displacement_ += change;
    if (settles(change, last)) return commit(constant + factor * pattern);
  }
  fail(constant + factor * pattern, factor);
}

/// The correction that moves an equation by `missing`.
/// @param change  the residual; set to the correction
/// @returns by how much the factor of the pattern grows
double StaticNewton::controlled(VectorXd& change, const VectorXd& pattern, int equation,
                                double missing, double factor) {
  const structure::SparseMatrix stiffness = tangent();
  try {
    factor_.emplace(stiffness);
  } catch (const NotPositiveDefinite& error) {
    return controlled_beyond_peak(stiffness, change, pattern,
                                  {equation, missing, factor, error.equation()});
  }
  factor_->solve(change);
  VectorXd by_pattern = pattern;
  factor_->solve(by_pattern);
  const double more = (missing - change[equation]) / by_pattern[equation];
  change += more * by_pattern;
  return more;
}

/// At a peak of the load the tangent is singular, and beyond it indefinite; together with
/// the displacement that is wanted the system keeps a solution.
double StaticNewton::controlled_beyond_peak(const structure::SparseMatrix& stiffness,
                                            VectorXd& change, const VectorXd& pattern,
                                            const Control& control) {
  const Eigen::Index n = change.size();
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < stiffness.outerSize(); ++j)
    for (structure::SparseMatrix::InnerIterator entry(stiffness, j); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), static_cast<int>(entry.col()),
                           entry.value());
  // The load's column in units of the stiffness, so that pivots compare.
  const double unit = entries.empty() ? 1.0 : stiffness.coeffs().abs().maxCoeff();
  const double scale = unit / pattern.cwiseAbs().maxCoeff();
  const auto last = static_cast<int>(n);
  for (int i = 0; i < last; ++i)
    if (pattern[i] != 0.0) entries.emplace_back(i, last, -scale * pattern[i]);
  entries.emplace_back(last, control.equation, unit);
  structure::SparseMatrix whole(n + 1, n + 1);
  whole.setFromTriplets(entries.begin(), entries.end());
  VectorXd right(n + 1);
  right << change, unit * control.missing;
  Eigen::SparseLU<structure::SparseMatrix> factored(whole);
  if (factored.info() != Eigen::Success)
    throw NoEquilibrium(control.factor, control.weak, change[control.weak],
                        "the structure is a mechanism that its loads do not move along");
  const VectorXd solution = factored.solve(right);
  change = solution.head(n);
  return scale * solution[n];
}

VectorXd StaticNewton::solved(VectorXd residual, double factor) {
  try {
    factor_.emplace(tangent());
  } catch (const NotPositiveDefinite& error) {
    throw NoEquilibrium(factor, error.equation(), residual[error.equation()],
                        "the tangent stiffness is not positive definite");
  }
  factor_->solve(residual);
  return residual;
}

bool StaticNewton::settles(const VectorXd& change, double& last) const {
  const double size = change.size() > 0 ? change.cwiseAbs().maxCoeff() : 0.0;
  const double whole = change.size() > 0 ? displacement_.cwiseAbs().maxCoeff() : 0.0;
  const bool settled =
      size <= kSettled || (size <= kRounding * whole && size > 0.25 * last);
  last = size;
  return settled;
}

/// The laws' last trial is at the last displacement.
void StaticNewton::commit(const VectorXd& load) {
  residual(load);
  for (const structure::NonlinearSpring& spring : structure_.springs) spring.law->commit();
  members_.commit();
}

void StaticNewton::fail(const VectorXd& load, double factor) {
  const VectorXd left = residual(load);
  int worst = 0;
  left.cwiseAbs().maxCoeff(&worst);
  throw NoEquilibrium(factor, worst, left[worst], "no equilibrium was found");
}

VectorXd StaticNewton::residual(const VectorXd& load) {
  VectorXd left = load - elastic_ * displacement_;
  members_.trial(displacement_);
  members_.add(-1.0, left);
  tangents_.clear();
  beside_.clear();
  for (const structure::NonlinearSpring& spring : structure_.springs)
    spring.law->foresee(structure::motion_of(spring.elongation, displacement_));
  for (const structure::NonlinearSpring& spring : structure_.springs) {
    const materials::LawResponse response =
        spring.law->trial(structure::motion_of(spring.elongation, displacement_), 0.0);
    structure::add_force(spring.elongation, -response.force, left);
    tangents_.push_back(response.stiffness);
    beside_.push_back(response.beside);
  }
  return left;
}

structure::SparseMatrix StaticNewton::tangent() const {
  structure::SparseMatrix whole = elastic_;
  if (!members_.empty()) whole += members_.tangent();
  if (structure_.springs.empty()) return whole;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](std::size_t one, std::size_t other, double value) {
    for (const structure::DofTerm& row : structure_.springs[one].elongation)
      for (const structure::DofTerm& column : structure_.springs[other].elongation)
        entries.emplace_back(row.equation, column.equation,
                             row.coefficient * column.coefficient * value);
  };
  for (std::size_t i = 0; i < tangents_.size(); ++i) {
    add(i, i, tangents_[i]);
    if (structure_.springs[i].partner < 0) continue;
    // Symmetric, as the factor needs it.
    const auto partner = static_cast<std::size_t>(structure_.springs[i].partner);
    add(i, partner, 0.5 * (beside_[i] + beside_[partner]));
  }
  structure::SparseMatrix springs(structure_.equations, structure_.equations);
  springs.setFromTriplets(entries.begin(), entries.end());
  return whole + springs;
}

}  // namespace trestle::integration
