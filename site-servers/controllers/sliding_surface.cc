#include "site-servers/controllers/sliding_surface.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "core/math/riccati.h"

namespace trestle::controllers {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kDependent = 1e-12;     // of the largest entry of B
constexpr double kSemidefinite = 1e-13;  // of the size that T22 could have

/// Rows of B that are not singular together, one for each column: by full pivoting.
std::vector<Index> independent_rows(MatrixXd B) {
  const double largest = B.cwiseAbs().maxCoeff();
  std::vector<Index> rows;
  for (Index drive = 0; drive < B.cols(); ++drive) {
    Index row = 0;
    Index column = 0;
    if (!(B.cwiseAbs().maxCoeff(&row, &column) > kDependent * largest))
      throw SettingError("plant.model",
                         "has " + std::to_string(B.cols()) + " drives that act on " +
                             std::to_string(drive) +
                             " independent states; the surface needs one for each drive");
    const Eigen::RowVectorXd pivot = B.row(row) / B(row, column);
    B -= (B.col(column) * pivot).eval();
    rows.push_back(row);
  }
  return rows;
}

/// Order of Y in which the last entries are those that the drives act on: entry i of the
/// ordered Y is entry order[i] of Y.
std::vector<Index> regular_order(const std::vector<Index>& rows, Index outputs,
                                 Index states) {
  std::vector<Index> order;
  for (Index i = 0; i < outputs; ++i) order.push_back(i);
  for (Index i = 0; i < states; ++i)
    if (std::find(rows.begin(), rows.end(), i) == rows.end()) order.push_back(outputs + i);
  for (const Index row : rows) order.push_back(outputs + row);
  return order;
}

MatrixXd symmetric(const MatrixXd& matrix) {
  return 0.5 * (matrix + matrix.transpose());
}

}  // namespace

ErrorPlant error_plant(const math::StateSpace& plant) {
  assert(sizes_fit(plant) && plant.inputs() == plant.outputs());
  const Index r = plant.outputs();
  const Index n = plant.states();
  ErrorPlant augmented{MatrixXd::Zero(r + n, r + n), MatrixXd::Zero(r + n, r)};
  augmented.A.topRightCorner(r, n) = -plant.C;
  augmented.A.bottomRightCorner(n, n) = plant.A;
  augmented.B.bottomRows(n) = plant.B;
  return augmented;
}

SlidingSurface design_sliding_surface(const math::StateSpace& plant,
                                      const MatrixXd& weight) {
  const Index r = plant.outputs();
  const Index n = plant.states();
  assert(weight.rows() == r + n && weight.cols() == r + n);
  const std::vector<Index> order = regular_order(independent_rows(plant.B), r, n);
  MatrixXd permutation = MatrixXd::Zero(r + n, r + n);
  for (Index i = 0; i < r + n; ++i) permutation(i, order[static_cast<std::size_t>(i)]) = 1;

  const ErrorPlant augmented = error_plant(plant);
  const MatrixXd A = permutation * augmented.A * permutation.transpose();
  const MatrixXd B = permutation * augmented.B;
  const MatrixXd Q = permutation * weight * permutation.transpose();
  const MatrixXd B2 = B.bottomRows(r);
  const MatrixXd side = B.topRows(n) * math::inverse(B2);  // B1 B2⁻¹
  MatrixXd regular = MatrixXd::Identity(r + n, r + n);     // Γ
  regular.topRightCorner(n, r) = -side;
  MatrixXd back = MatrixXd::Identity(r + n, r + n);  // Γ⁻¹
  back.topRightCorner(n, r) = side;

  const MatrixXd hat = regular * A * back;
  const MatrixXd T = symmetric(back.transpose() * Q * back);
  const MatrixXd T11 = T.topLeftCorner(n, n);
  const MatrixXd T12 = T.topRightCorner(n, r);
  const MatrixXd T22 = T.bottomRightCorner(r, r);
  const double possible = weight.cwiseAbs().maxCoeff() * back.rightCols(r).squaredNorm();
  if (!(math::symmetric_eigen(T22).values(0) > kSemidefinite * possible))
    throw SettingError("surface_weight",
                       "leaves a motion that the drives change at once without weight "
                       "(T22 is not positive definite): weigh the rates of the states "
                       "too, not the error alone");

  // Q − T12 T22⁻¹ T21 and Ā: what is left when the mixed weight T12 is taken out.
  const MatrixXd mixed = math::solve_symmetric(T22, T12.transpose());  // T22⁻¹ T21
  const MatrixXd A12 = hat.topRightCorner(n, r);
  const MatrixXd X =
      math::solve_continuous_riccati(
          {hat.topLeftCorner(n, n) - A12 * mixed, A12, symmetric(T11 - T12 * mixed), T22},
          "plant.model")
          .X;
  const MatrixXd H = 2.0 * X;
  MatrixXd normal(r, r + n);
  normal.leftCols(n) =
      0.5 * math::solve_symmetric(T22, A12.transpose() * H + 2.0 * T12.transpose());
  normal.rightCols(r).setIdentity();
  return {normal * regular * permutation, B2};
}

MatrixXd sliding_feedback(const math::StateSpace& plant, const SlidingSurface& surface,
                          double tolerance) {
  const auto& [P, entry] = surface;
  return math::solved(entry, P * error_plant(plant).A) + tolerance * entry.transpose() * P;
}

double fastest_approach(const SlidingSurface& surface, double tolerance) {
  const MatrixXd& B2 = surface.entry;
  return tolerance * math::symmetric_eigen(B2 * B2.transpose()).values.tail<1>()(0);
}

MatrixXd drive_coordinates(const math::StateSpace& plant) {
  const std::vector<Index> rows = independent_rows(plant.B);
  const Index r = plant.inputs();
  MatrixXd B2(r, r);
  for (Index i = 0; i < r; ++i) B2.row(i) = plant.B.row(rows[static_cast<std::size_t>(i)]);
  const MatrixXd scale = math::inverse(B2);
  const MatrixXd share = plant.B * scale;  // of the states that the drives act on
  MatrixXd T = MatrixXd::Identity(plant.states(), plant.states());
  for (Index j = 0; j < r; ++j) T.col(rows[static_cast<std::size_t>(j)]) -= share.col(j);
  for (Index i = 0; i < r; ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    T.row(row).setZero();
    for (Index j = 0; j < r; ++j) T(row, rows[static_cast<std::size_t>(j)]) = scale(i, j);
  }
  return T;
}

}  // namespace trestle::controllers
