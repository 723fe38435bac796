#include "numerical/integration/buckling.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/math/dense_eigenvalues.h"
#include "numerical/integration/cholesky_factor.h"

namespace trestle::integration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kMostVectors = 200;
constexpr double kConverged = 1e-13;  // change of the largest value, of itself
constexpr double kNothingLeft = 1e-12;
// Parts of a vector below this one of the largest are rounding.
constexpr double kNone = 1e-10;

/// Largest µ = 1/λ of −K_G·φ = µ·K·φ, in the scalar product of K.
class Lanczos {
 public:
  Lanczos(const structure::SparseMatrix& elastic, const structure::SparseMatrix& geometric)
      : elastic_(elastic), geometric_(geometric), factor_(elastic) {
    const Index most = std::min(kMostVectors, elastic.rows());
    basis_.resize(elastic.rows(), most);
    image_.resize(elastic.rows(), most);
  }

  Buckling find() {
    std::mt19937 random(1);
    VectorXd next(elastic_.rows());
    for (double& value : next) value = static_cast<double>(random()) / 2147483648.0 - 1.0;
    // A start in the range of K⁻¹·K_G: what the axial forces do not move stays out.
    next = applied(next);
    VectorXd diagonal(0);
    VectorXd beside(0);
    double last = 0.0;
    int settled = 0;
    double size = 1.0;
    for (Index k = 0; k < basis_.cols(); ++k) {
      const double length = orthogonal(next, k);
      if (!(length > kNothingLeft * size)) break;
      next /= length;
      size = 1.0;
      basis_.col(k) = next;
      image_.col(k) = elastic_ * next;
      if (k > 0) {
        beside.conservativeResize(k);
        beside[k - 1] = length;
      }
      next = applied(next);
      diagonal.conservativeResize(k + 1);
      diagonal[k] = image_.col(k).dot(next);
      size = std::sqrt(std::max(0.0, next.dot(elastic_ * next)));
      solve(diagonal, beside);
      settled =
          std::abs(largest_ - last) <= kConverged * std::abs(largest_) ? settled + 1 : 0;
      last = largest_;
      if (settled >= 3) break;
    }
    return result();
  }

 private:
  VectorXd applied(const VectorXd& vector) const {
    VectorXd moved = -(geometric_ * vector);
    factor_.solve(moved);
    return moved;
  }

  /// Takes the first `count` vectors out, twice; returns the length that is left.
  double orthogonal(VectorXd& vector, Index count) const {
    for (int pass = 0; pass < 2; ++pass) {
      const VectorXd along = image_.leftCols(count).transpose() * vector;
      vector -= basis_.leftCols(count) * along;
    }
    return std::sqrt(std::max(0.0, vector.dot(elastic_ * vector)));
  }

  void solve(const VectorXd& diagonal, const VectorXd& beside) {
    const math::SymmetricEigen spectrum = math::tridiagonal_eigen(diagonal, beside);
    largest_ = spectrum.values[spectrum.values.size() - 1];
    spread_ = spectrum.values.cwiseAbs().maxCoeff();
    weights_ = spectrum.vectors.col(spectrum.vectors.cols() - 1);
  }

  Buckling result() const {
    if (weights_.size() == 0 || !(largest_ > kNone * spread_))
      return {.factor = std::numeric_limits<double>::infinity(), .shape = {}};
    return {.factor = 1.0 / largest_, .shape = basis_.leftCols(weights_.size()) * weights_};
  }

  const structure::SparseMatrix& elastic_;
  const structure::SparseMatrix& geometric_;
  CholeskyFactor factor_;
  MatrixXd basis_;  ///< orthonormal in the scalar product of K
  MatrixXd image_;  ///< K·basis
  VectorXd weights_;
  double largest_ = 0.0;
  double spread_ = 0.0;
};

}  // namespace

Buckling buckling(const structure::SparseMatrix& elastic,
                  const structure::SparseMatrix& geometric) {
  return Lanczos(elastic, geometric).find();
}

}  // namespace trestle::integration
