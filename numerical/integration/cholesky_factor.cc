#include "numerical/integration/cholesky_factor.h"

#include <cholmod.h>

#include <utility>

namespace trestle::integration {
namespace {

/// CHOLMOD's view of Eigen's arrays; nothing is copied.
cholmod_sparse view(Eigen::SparseMatrix<double>& matrix) {
  cholmod_sparse seen{};
  seen.nrow = static_cast<std::size_t>(matrix.rows());
  seen.ncol = static_cast<std::size_t>(matrix.cols());
  seen.nzmax = static_cast<std::size_t>(matrix.nonZeros());
  seen.p = matrix.outerIndexPtr();
  seen.i = matrix.innerIndexPtr();
  seen.x = matrix.valuePtr();
  seen.stype = -1;  // symmetric, lower triangle
  seen.itype = CHOLMOD_INT;
  seen.xtype = CHOLMOD_REAL;
  seen.dtype = CHOLMOD_DOUBLE;
  seen.sorted = 1;
  seen.packed = 1;
  return seen;
}

}  // namespace

struct CholeskyFactor::Workspace {
  cholmod_common common{};
  cholmod_factor* factor = nullptr;
  cholmod_dense vector{};  // header over the caller's vector
  cholmod_dense* permuted = nullptr;
  cholmod_dense* unused = nullptr;

  Workspace() {
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SIMPLICIAL;  // fastest for one right-hand side
    common.final_ll = 1;
    common.print = 0;
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    cholmod_free_dense(&unused, &common);
    cholmod_free_dense(&permuted, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
};

CholeskyFactor::CholeskyFactor(const Eigen::SparseMatrix<double>& matrix)
    : workspace_(std::make_unique<Workspace>()) {
  Workspace& w = *workspace_;
  Eigen::SparseMatrix<double> copy = matrix;
  copy.makeCompressed();
  cholmod_sparse seen = view(copy);
  w.factor = cholmod_analyze(&seen, &w.common);
  if (w.factor == nullptr) throw std::bad_alloc();
  cholmod_factorize(&seen, w.factor, &w.common);
  if (w.common.status == CHOLMOD_NOT_POSDEF) {
    const auto* order = static_cast<const int*>(w.factor->Perm);
    const int row = order[w.factor->minor];
    throw NotPositiveDefinite(row, "row " + std::to_string(row + 1) +
                                       " of a matrix that should be positive definite");
  }
  if (w.common.status < CHOLMOD_OK) throw std::bad_alloc();

  w.vector.nrow = w.vector.nzmax = w.vector.d = static_cast<std::size_t>(matrix.rows());
  w.vector.ncol = 1;
  w.vector.xtype = CHOLMOD_REAL;
  w.vector.dtype = CHOLMOD_DOUBLE;
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(matrix.rows());
  solve(rest);  // makes the workspace that all later calls use again
}

CholeskyFactor::~CholeskyFactor() = default;
CholeskyFactor::CholeskyFactor(CholeskyFactor&&) noexcept = default;
CholeskyFactor& CholeskyFactor::operator=(CholeskyFactor&&) noexcept = default;

void CholeskyFactor::solve(Eigen::VectorXd& x) const noexcept {
  Workspace& w = *workspace_;
  w.vector.x = x.data();
  // In place: CHOLMOD permutes the right-hand side into its workspace before it writes.
  cholmod_dense* result = &w.vector;
  cholmod_solve2(CHOLMOD_A, w.factor, &w.vector, nullptr, &result, nullptr, &w.permuted,
                 &w.unused, &w.common);
  // The solve leaves its workspace in another shape than the four rows that it needs at the
  // next call, and would allocate again.
  w.permuted->nrow = w.permuted->d = 4;
  w.permuted->ncol = w.vector.nrow;
}

}  // namespace trestle::integration
