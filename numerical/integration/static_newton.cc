#include "numerical/integration/static_newton.h"

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
    : structure_(structure),
      elastic_(structure.stiffness + structure.experimental_stiffness),
      displacement_(VectorXd::Zero(structure.equations)) {}

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
    VectorXd change = solved(residual(constant + factor * pattern), factor);
    VectorXd by_pattern = pattern;
    factor_->solve(by_pattern);
    const double more =
        (displacement - displacement_[equation] - change[equation]) / by_pattern[equation];
    change += more * by_pattern;
    factor += more;
    displacement_ += change;
    if (!std::isfinite(change.sum())) break;
    if (settles(change, last)) return commit(constant + factor * pattern);
  }
  fail(constant + factor * pattern, factor);
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
}

void StaticNewton::fail(const VectorXd& load, double factor) {
  const VectorXd left = residual(load);
  int worst = 0;
  left.cwiseAbs().maxCoeff(&worst);
  throw NoEquilibrium(factor, worst, left[worst], "no equilibrium was found");
}

VectorXd StaticNewton::residual(const VectorXd& load) {
  VectorXd left = load - elastic_ * displacement_;
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
  if (structure_.springs.empty()) return elastic_;
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
  return elastic_ + springs;
}

}  // namespace trestle::integration
