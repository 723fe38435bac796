#include "composition/numerical/market_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/setting_checks.h"
#include "core/math/matrix_market_file.h"

namespace trestle::composition {
namespace {

using structure::SparseMatrix;

/// Largest difference of the two triangles, relative to the largest entry.
constexpr double kTwinEntries = 1e-9;
/// Diagonal over the median of the diagonals from which on it counts as a penalty.
constexpr double kPenalty = 1e6;

std::string row_and_column(Eigen::Index row, Eigen::Index column, double value) {
  return "(" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ") is " +
         in_words(value);
}

/// Where the triangles differ most, or nothing.
std::string asymmetry(const SparseMatrix& matrix) {
  double largest = 0.0;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseMatrix::InnerIterator entry(matrix, k); entry; ++entry)
      largest = std::max(largest, std::abs(entry.value()));
  const SparseMatrix difference = matrix - SparseMatrix(matrix.transpose());
  double apart = kTwinEntries * largest;
  Eigen::Index row = -1;
  Eigen::Index column = -1;
  for (int k = 0; k < difference.outerSize(); ++k)
    for (SparseMatrix::InnerIterator entry(difference, k); entry; ++entry)
      if (std::abs(entry.value()) > apart) {
        apart = std::abs(entry.value());
        row = entry.row();
        column = entry.col();
      }
  if (row < 0) return {};
  return "the matrix is not symmetric: " +
         row_and_column(row, column, matrix.coeff(row, column)) + ", " +
         row_and_column(column, row, matrix.coeff(column, row));
}

double median_above_zero(const Eigen::VectorXd& diagonal) {
  std::vector<double> values;
  for (const double value : diagonal)
    if (value > 0.0) values.push_back(value);
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

SparseMatrix read_market_matrix(const std::string& file,
                                const std::vector<std::string>& dofs,
                                const std::string& here, SettingErrorCollector& problems) {
  const auto n = static_cast<Eigen::Index>(dofs.size());
  const SparseMatrix none(n, n);
  const Result<Eigen::SparseMatrix<double>> read = math::read_matrix_market(file);
  if (!read) {
    problems.add(here, read.error().detail);
    return none;
  }
  const SparseMatrix matrix = read.value();
  const std::string size = file + ": the matrix is " + std::to_string(matrix.rows()) +
                           " x " + std::to_string(matrix.cols());
  if (matrix.rows() != matrix.cols()) {
    problems.add(here, size + "; it must be square");
    return none;
  }
  if (matrix.rows() != n) {
    problems.add(here, size + "; there are " + std::to_string(n) + " DOFs");
    return none;
  }
  if (const std::string what = asymmetry(matrix); !what.empty()) {
    problems.add(here, file + ": " + what);
    return none;
  }
  return 0.5 * (matrix + SparseMatrix(matrix.transpose()));
}

void check_constraint_rows(const SparseMatrix& stiffness,
                           const std::vector<std::string>& dofs, const std::string& here,
                           SettingErrorCollector& problems) {
  const Eigen::VectorXd diagonal = stiffness.diagonal();
  const double median = median_above_zero(diagonal);
  const std::string remedy =
      "; write the matrices with the constraint handler Transformation or Plain";
  for (int k = 0; k < stiffness.outerSize(); ++k) {
    const std::string& dof = dofs[static_cast<std::size_t>(k)];
    bool coupled = false;
    for (SparseMatrix::InnerIterator entry(stiffness, k); entry; ++entry)
      coupled = coupled || (entry.row() != k && entry.value() != 0.0);
    if (diagonal[k] == 0.0 && coupled)
      problems.add(here,
                   dof +
                       " has a zero diagonal but acts on other DOFs, like a multiplier of "
                       "the constraint handler Lagrange" +
                       remedy);
    if (diagonal[k] > kPenalty * median)
      problems.add(here, "the stiffness of " + dof + " is " + in_words(diagonal[k]) +
                             ", above 1e6 times the median " + in_words(median) +
                             ", like one of the constraint handler Penalty" + remedy +
                             "; a member that is so stiff can be given as CSV");
  }
}

}  // namespace trestle::composition
