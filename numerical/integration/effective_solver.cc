#include "numerical/integration/effective_solver.h"

#include "core/math/dense_solve.h"
#include "numerical/integration/mass_checks.h"

namespace trestle::integration {

namespace {

// Rows up to which a full product costs less than two sparse triangles.
constexpr Eigen::Index kInvertUpTo = 48;

}  // namespace

EffectiveSolver::EffectiveSolver(const structure::SparseMatrix& sparse,
                                 const structure::ModalDampingFactors& modal,
                                 double factor) {
  if (is_diagonal(sparse)) {
    const Eigen::VectorXd diagonal = sparse.diagonal();
    for (Eigen::Index i = 0; i < diagonal.size(); ++i)
      if (!(diagonal[i] > 0.0))
        throw NotPositiveDefinite(static_cast<int>(i),
                                  "row " + std::to_string(i + 1) +
                                      " of a diagonal matrix that should be positive");
    reciprocal_ = diagonal.cwiseInverse();
  } else {
    factor_.emplace(sparse);
    if (sparse.rows() <= kInvertUpTo) invert(sparse.rows());
  }

  std::vector<Eigen::Index> damped;
  for (Eigen::Index j = 0; j < modal.coefficient.size(); ++j)
    if (modal.coefficient[j] * factor > 0.0) damped.push_back(j);
  const auto count = static_cast<Eigen::Index>(damped.size());
  modes_.resize(sparse.rows(), count);
  reach_.resize(sparse.rows(), count);
  share_.resize(count);
  if (count == 0) return;

  Eigen::VectorXd stiffness(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Eigen::Index mode = damped[static_cast<std::size_t>(j)];
    modes_.col(j) = modal.weighted_modes.col(mode);
    stiffness[j] = 1.0 / (factor * modal.coefficient[mode]);
    Eigen::VectorXd column = modes_.col(j);
    solve_sparse(column);
    reach_.col(j) = column;
  }
  Eigen::MatrixXd core = modes_.transpose() * reach_;
  core.diagonal() += stiffness;
  reach_ = math::solve_symmetric(core, reach_.transpose()).transpose();
}

void EffectiveSolver::invert(Eigen::Index rows) {
  Eigen::MatrixXd inverse(rows, rows);
  for (Eigen::Index j = 0; j < rows; ++j) {
    product_ = Eigen::VectorXd::Unit(rows, j);
    factor_->solve(product_);
    inverse.col(j) = product_;
  }
  inverse_ = 0.5 * (inverse + inverse.transpose());
}

void EffectiveSolver::solve_sparse(Eigen::VectorXd& x) const noexcept {
  if (diagonal()) {
    x.array() *= reciprocal_.array();
  } else if (inverse_.size() > 0) {
    product_.noalias() = inverse_ * x;
    x.swap(product_);
  } else {
    factor_->solve(x);
  }
}

void EffectiveSolver::solve(Eigen::VectorXd& x) const noexcept {
  if (!has_modal_part()) {
    solve_sparse(x);
    return;
  }
  // S⁻¹·b − Z·(…)⁻¹·Zᵀ·b, with Zᵀ·b = Wᵀ·S⁻¹·b taken after the sparse solve.
  solve_sparse(x);
  share_.noalias() = modes_.transpose() * x;
  x.noalias() -= reach_ * share_;
}

}  // namespace trestle::integration
