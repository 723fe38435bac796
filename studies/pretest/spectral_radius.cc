#include "studies/pretest/spectral_radius.h"

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "core/math/dense_eigenvalues.h"
#include "core/math/state_space.h"

namespace trestle::pretest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Returns true if its column is empty, its row is empty, or its row keeps it unchanged.
bool idle(const MatrixXd& step, Index i) {
  if (step.col(i).isZero(0.0)) return true;
  const double self = step(i, i);
  if (self != 0.0 && self != 1.0) return false;
  for (Index j = 0; j < step.cols(); ++j)
    if (j != i && step(i, j) != 0.0) return false;
  return true;
}

}  // namespace

MatrixXd remove_unreachable_states(MatrixXd step) {
  while (true) {
    std::vector<Index> kept;
    for (Index i = 0; i < step.rows(); ++i)
      if (!idle(step, i)) kept.push_back(i);
    if (static_cast<Index>(kept.size()) == step.rows()) return step;
    step = MatrixXd(step(kept, kept));
  }
}

LargestEigenvalue largest_eigenvalue(const MatrixXd& step) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (!step.allFinite()) return {.modulus = kInfinite};
  MatrixXd core = remove_unreachable_states(step);
  const Index n = core.rows();
  if (n == 0) return {};
  core = math::balanced({core, MatrixXd(n, 0), MatrixXd(0, n), MatrixXd(0, 0)}).A;
  const Eigen::VectorXcd values = math::eigenvalues(core);
  if (!values.allFinite()) return {.modulus = kInfinite};
  Index at = 0;
  const double modulus = values.cwiseAbs().maxCoeff(&at);
  return {.modulus = modulus, .angle = std::abs(std::arg(values[at]))};
}

double spectral_radius(const MatrixXd& step) {
  return largest_eigenvalue(step).modulus;
}

}  // namespace trestle::pretest
