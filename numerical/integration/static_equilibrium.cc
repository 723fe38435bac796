#include "numerical/integration/static_equilibrium.h"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "numerical/integration/cholesky_factor.h"

namespace trestle::integration {
namespace {

using Eigen::VectorXd;

constexpr int kMostCorrections = 100;
constexpr double kSettled = 1e-13;  // [m | rad]
constexpr double kRounding = 1e-9;  // part of the displacement

class StaticNewton {
 public:
  explicit StaticNewton(const structure::StructuralModel& structure)
      : structure_(structure),
        elastic_(structure.stiffness + structure.experimental_stiffness),
        displacement_(VectorXd::Zero(structure.equations)) {}

  void reach(const VectorXd& load, double factor) {
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kMostCorrections; ++round) {
      VectorXd change = residual(load);
      try {
        factor_.emplace(tangent());
      } catch (const NotPositiveDefinite& error) {
        throw NoEquilibrium(factor, error.equation(), change[error.equation()],
                            "the tangent stiffness is not positive definite");
      }
      factor_->solve(change);
      displacement_ += change;
      const double size = change.size() > 0 ? change.cwiseAbs().maxCoeff() : 0.0;
      if (!std::isfinite(size)) break;
      const double whole = displacement_.cwiseAbs().maxCoeff();
      if (size <= kSettled || (size <= kRounding * whole && size > 0.25 * last)) {
        residual(load);  // the laws' last trial is at the last displacement
        for (const structure::NonlinearSpring& spring : structure_.springs)
          spring.law->commit();
        return;
      }
      last = size;
    }
    const VectorXd left = residual(load);
    int worst = 0;
    left.cwiseAbs().maxCoeff(&worst);
    throw NoEquilibrium(factor, worst, left[worst], "no equilibrium was found");
  }

  const VectorXd& displacement() const { return displacement_; }

 private:
  VectorXd residual(const VectorXd& load) {
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

  structure::SparseMatrix tangent() const {
    if (structure_.springs.empty()) return elastic_;
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](std::size_t one, std::size_t other, double tangent) {
      for (const structure::DofTerm& row : structure_.springs[one].elongation)
        for (const structure::DofTerm& column : structure_.springs[other].elongation)
          entries.emplace_back(row.equation, column.equation,
                               row.coefficient * column.coefficient * tangent);
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

  const structure::StructuralModel& structure_;
  structure::SparseMatrix elastic_;
  VectorXd displacement_;
  std::vector<double> tangents_;
  std::vector<double> beside_;  // by the displacements of partners
  std::optional<CholeskyFactor> factor_;
};

}  // namespace

VectorXd static_equilibrium(const structure::StructuralModel& structure,
                            const VectorXd& load, int increments) {
  StaticNewton newton(structure);
  for (int i = 1; i <= increments; ++i) {
    const double factor = static_cast<double>(i) / increments;
    newton.reach(factor * load, factor);
  }
  return newton.displacement();
}

}  // namespace trestle::integration
