#include "numerical/structure/modes.h"

#include <Eigen/CholmodSupport>
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>

#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::structure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kMostDense = 600;
// Eigenvalues µ = 1/ω² below this part of the largest are those of massless DOFs.
constexpr double kMassless = 1e-14;
// Shift of a singular stiffness, relative to its largest ratio of diagonals.
constexpr double kShift = 1e-10;

/// Pairs µ, y of A·y = µ·B·y with B positive definite, largest µ first, yᵀ·A·y = 1.
struct Pairs {
  VectorXd values;
  MatrixXd vectors;
};

/// @param least_pivot  relative to B's diagonal
/// @returns no pairs where B is not positive definite
Pairs largest_pairs(const MatrixXd& A, const MatrixXd& B, Index count,
                    double least_pivot = 0.0) {
  const std::optional<MatrixXd> factor = math::cholesky_factor(B);
  if (!factor) return {};
  const auto pivots = factor->diagonal().array().square();
  if ((pivots < least_pivot * B.diagonal().array()).any()) return {};
  const MatrixXd halfway = math::solve_lower(*factor, A);
  const MatrixXd reduced = math::solve_lower(*factor, halfway.transpose());
  const math::SymmetricEigen spectrum =
      math::symmetric_eigen((reduced + reduced.transpose()) / 2.0);
  const VectorXd values = spectrum.values.reverse();
  Index found = 0;
  while (found < std::min(count, values.size()) && values[found] > kMassless * values[0] &&
         values[found] > 0.0)
    ++found;
  Pairs pairs;
  pairs.values = values.head(found);
  const MatrixXd leading = spectrum.vectors.rowwise().reverse().leftCols(found);
  pairs.vectors = math::solve_lower_transpose(*factor, leading);
  for (Index i = 0; i < found; ++i) pairs.vectors.col(i) /= std::sqrt(values[i]);
  return pairs;
}

double shift_for(const SparseMatrix& K, const SparseMatrix& M) {
  const VectorXd k = K.diagonal();
  const VectorXd m = M.diagonal();
  double largest = 0.0;
  for (Index i = 0; i < k.size(); ++i)
    if (m[i] > 0.0) largest = std::max(largest, k[i] / m[i]);
  return largest > 0.0 ? kShift * largest : kShift;
}

Modes modes_from(const Pairs& pairs, double shift) {
  Modes modes;
  modes.shapes = pairs.vectors;
  modes.frequencies.resize(pairs.values.size());
  for (Index i = 0; i < pairs.values.size(); ++i)
    modes.frequencies[i] = std::sqrt(std::max(0.0, 1.0 / pairs.values[i] - shift));
  return modes;
}

Modes dense_modes(const SparseMatrix& K, const SparseMatrix& M, Index count) {
  const MatrixXd mass(M);
  // A pivot that is nothing but rounding would hide all other modes behind its own.
  constexpr double kLeastPivot = 1e-13;
  Pairs pairs = largest_pairs(mass, MatrixXd(K), count, kLeastPivot);
  double shift = 0.0;
  if (pairs.values.size() == 0) {
    shift = shift_for(K, M);
    pairs = largest_pairs(mass, MatrixXd(K + shift * M), count);
  }
  return modes_from(pairs, shift);
}

/// Start of the subspace: one column that feels all masses, the others random but the same
/// in every run.
MatrixXd start_vectors(Index rows, Index columns) {
  std::mt19937 random(1);
  MatrixXd start(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i)
      start(i, j) = j == 0 ? 1.0 : static_cast<double>(random()) / 2147483648.0 - 1.0;
  return start;
}

Modes sparse_modes(const SparseMatrix& K, const SparseMatrix& M, Index count) {
  constexpr int kMostRounds = 60;
  constexpr double kConverged = 1e-11;
  Eigen::CholmodDecomposition<SparseMatrix> factor;
  double shift = 0.0;
  factor.compute(K);
  if (factor.info() != Eigen::Success) {
    shift = shift_for(K, M);
    factor.compute(K + shift * M);
    if (factor.info() != Eigen::Success)
      throw std::runtime_error("modes: the stiffness is not positive definite");
  }
  const auto massive = static_cast<Index>((VectorXd(M.diagonal()).array() > 0.0).count());
  const Index width = std::min(massive, std::max(2 * count, count + 8));
  MatrixXd loads = M * start_vectors(K.rows(), width);
  Pairs pairs;
  VectorXd last = VectorXd::Zero(count);
  for (int round = 0; round < kMostRounds; ++round) {
    const MatrixXd X = factor.solve(loads);
    const MatrixXd MX = M * X;
    // In the span of X both matrices are small: XᵀKX = XᵀM·(last X).
    pairs = largest_pairs(X.transpose() * MX, X.transpose() * loads, width);
    if (pairs.values.size() == 0) break;
    loads = MX * pairs.vectors;
    pairs.vectors = (X * pairs.vectors).eval();
    const Index sure = std::min(count, pairs.values.size());
    const VectorXd now = pairs.values.head(sure);
    const bool settled = last.size() == sure &&
                         ((now - last).array().abs() <= kConverged * now.array()).all();
    last = now;
    if (settled) break;
  }
  const Index found = std::min(count, pairs.values.size());
  pairs.values.conservativeResize(found);
  pairs.vectors.conservativeResize(Eigen::NoChange, found);
  return modes_from(pairs, shift);
}

}  // namespace

Modes lowest_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, int count) {
  const Index wanted = std::min<Index>(count, stiffness.rows());
  Modes modes = stiffness.rows() <= kMostDense ? dense_modes(stiffness, mass, wanted)
                                               : sparse_modes(stiffness, mass, wanted);
  if (modes.frequencies.size() == 0 && mass.nonZeros() > 0 && mass.norm() > 0.0)
    throw std::runtime_error("modes: the stiffness is not positive definite");
  return modes;
}

Modes lowest_modes(const StructuralModel& structure, int count) {
  return lowest_modes(combined_stiffness(structure), combined_mass(structure), count);
}

VectorXd damping_ratios(const StructuralModel& structure, const Modes& modes) {
  const SparseMatrix C = combined_damping(structure);
  VectorXd ratios(modes.frequencies.size());
  for (Index i = 0; i < ratios.size(); ++i) {
    const auto phi = modes.shapes.col(i);
    double damping = phi.dot(C * phi);
    if (structure.modal_damping.coefficient.size() > 0) {
      const VectorXd along = structure.modal_damping.weighted_modes.transpose() * phi;
      damping += along.dot(structure.modal_damping.coefficient.cwiseProduct(along));
    }
    const double omega = modes.frequencies[i];
    ratios[i] = omega > 0.0 ? damping / (2.0 * omega) : 0.0;
  }
  return ratios;
}

}  // namespace trestle::structure
