#include "numerical/bond_graph/markov.h"

namespace trestle::bond_graph {
namespace {

// Above the round-off of tens of additions, below any coupling that is meant.
constexpr double kCancelled = 1e-11;

}  // namespace

Eigen::MatrixXd output_power(const math::StateSpace& system, int k) {
  Eigen::MatrixXd power = system.C;
  for (int i = 0; i < k; ++i) power = (power * system.A).eval();
  return power;
}

Eigen::MatrixXd markov_parameter(const math::StateSpace& system, int k) {
  if (k == 0) return system.D;
  Eigen::MatrixXd parameter = output_power(system, k - 1) * system.B;
  // The size that the sum could have had if nothing cancelled.
  Eigen::MatrixXd size = system.C.cwiseAbs();
  for (int i = 1; i < k; ++i) size = (size * system.A.cwiseAbs()).eval();
  size = (size * system.B.cwiseAbs()).eval();
  for (Eigen::Index j = 0; j < parameter.cols(); ++j)
    for (Eigen::Index i = 0; i < parameter.rows(); ++i)
      if (std::abs(parameter(i, j)) <= kCancelled * size(i, j)) parameter(i, j) = 0.0;
  return parameter;
}

}  // namespace trestle::bond_graph
