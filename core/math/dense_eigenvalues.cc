#include "core/math/dense_eigenvalues.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>

namespace trestle::math {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

/// Makes two columns orthogonal.
/// @returns false if they are
bool turn(Eigen::MatrixXcd& columns, Index p, Index q) {
  constexpr double kOrthogonal = std::numeric_limits<double>::epsilon();
  double first = 0.0;
  double second = 0.0;
  Complex both = 0.0;
  for (Index i = 0; i < columns.rows(); ++i) {
    first += std::norm(columns(i, p));
    second += std::norm(columns(i, q));
    both += std::conj(columns(i, p)) * columns(i, q);
  }
  const double size = std::abs(both);
  if (size <= kOrthogonal * std::sqrt(first) * std::sqrt(second)) return false;
  const double zeta = (second - first) / (2.0 * size);
  const double t = (zeta < 0.0 ? -1.0 : 1.0) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double cosine = 1.0 / std::hypot(1.0, t);
  const Complex sine = cosine * t * both / size;
  for (Index i = 0; i < columns.rows(); ++i) {
    const Complex a = columns(i, p);
    const Complex b = columns(i, q);
    columns(i, p) = cosine * a - std::conj(sine) * b;
    columns(i, q) = sine * a + cosine * b;
  }
  return true;
}

}  // namespace

Eigen::VectorXcd eigenvalues(const MatrixXd& A) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const Eigen::EigenSolver<MatrixXd> solver(A, false);
  if (solver.info() != Eigen::Success)
    return Eigen::VectorXcd::Constant(A.rows(), Complex(kUnknown, kUnknown));
  return solver.eigenvalues();
}

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen symmetric_eigen(const MatrixXd& A, const MatrixXd& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(A, B);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen tridiagonal_eigen(const Eigen::Ref<const Eigen::VectorXd>& diagonal,
                                 const Eigen::Ref<const Eigen::VectorXd>& beside) {
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd singular_values(const Eigen::MatrixXcd& A) {
  constexpr int kMostSweeps = 60;
  const double largest = A.cwiseAbs().maxCoeff();
  if (largest == 0.0) return Eigen::VectorXd::Zero(std::min(A.rows(), A.cols()));
  // Squares of very small numbers would be lost.
  Eigen::MatrixXcd columns = A / largest;
  if (A.cols() > A.rows()) columns.adjointInPlace();
  bool turned = true;
  for (int sweep = 0; sweep < kMostSweeps && turned; ++sweep) {
    turned = false;
    for (Index p = 0; p + 1 < columns.cols(); ++p)
      for (Index q = p + 1; q < columns.cols(); ++q) turned = turn(columns, p, q) || turned;
  }
  Eigen::VectorXd values(columns.cols());
  for (Index j = 0; j < columns.cols(); ++j) values(j) = largest * columns.col(j).norm();
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

}  // namespace trestle::math
