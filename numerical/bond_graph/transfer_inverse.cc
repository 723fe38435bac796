#include "numerical/bond_graph/transfer_inverse.h"

#include <cmath>
#include <numeric>

#include "core/base/setting_check.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/markov.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kDependent = 1e-10;

void check_size(const math::StateSpace& transfer, const JunctionLabels& names) {
  const auto ports = static_cast<Index>(names.ports.size());
  if (transfer.inputs() == ports && transfer.outputs() == ports) return;
  fail("E_VJ_SIZE", names.path,
       "the transfer systems have " + std::to_string(transfer.inputs()) + " commands and " +
           std::to_string(transfer.outputs()) + " velocities, but the cut has " +
           std::to_string(ports) + (ports == 1 ? " port (" : " ports (") +
           quoted(names.ports) + "); give one transfer system to each port");
}

std::vector<int> vector_degree(const math::StateSpace& transfer,
                               const JunctionLabels& names, MatrixXd& delta) {
  std::vector<int> degrees;
  for (Index i = 0; i < transfer.outputs(); ++i) {
    int degree = 0;
    while (degree <= transfer.states() &&
           markov_parameter(transfer, degree).row(i).isZero(0.0))
      ++degree;
    const auto port = static_cast<std::size_t>(i);
    if (degree > transfer.states())
      fail("E_VJ_NOPATH", names.transfer_paths[port],
           "no command reaches the velocity of the transfer system `" +
               names.transfers[port] + "`; connect its force to what moves");
    degrees.push_back(degree);
    delta.row(i) = markov_parameter(transfer, degree).row(i);
  }
  return degrees;
}

/// Rows that complete `rows` to a basis: coordinates that no input moves directly, then
/// what else no input moves, then any coordinates.
MatrixXd completed(const MatrixXd& rows, const MatrixXd& B) {
  const Index n = B.rows();
  MatrixXd basis = rows;
  const auto add = [&](const Eigen::RowVectorXd& row) {
    if (basis.rows() == n || row.norm() < kDependent) return;
    MatrixXd longer(basis.rows() + 1, n);
    longer << basis, row;
    MatrixXd scaled = longer;
    scaled.rowwise().normalize();
    if (math::rank(scaled, kDependent) == longer.rows()) basis = longer;
  };
  const MatrixXd I = MatrixXd::Identity(n, n);
  for (Index i = 0; i < n; ++i)
    if (B.row(i).isZero(0.0)) add(I.row(i));
  const MatrixXd unmoved = I - B * math::least_squares(B, I);
  for (Index i = 0; i < n; ++i) add(unmoved.row(i));
  for (Index i = 0; i < n; ++i) add(I.row(i));
  return basis.bottomRows(n - rows.rows());
}

void check_zeros(TransferInverse& inverse, const JunctionLabels& names) {
  if (inverse.Q.rows() == 0) return;
  const Eigen::VectorXcd zeros = math::eigenvalues(inverse.Q);
  inverse.zeros.assign(zeros.begin(), zeros.end());
  for (const auto& zero : inverse.zeros)
    if (zero.real() > kZeroOnAxis * (1.0 + inverse.Q.norm()))
      fail(
          "E_VJ_NONMINPHASE", names.path,
          "the transfer system has a zero at " + in_words(zero.real()) +
              (zero.imag() == 0.0 ? "" : " ± " + in_words(std::abs(zero.imag())) + "i") +
              " 1/s, in the right half plane: the command that undoes it would grow "
              "without "
              "limit; identify the transfer system as mass, damper and spring at the port, "
              "or measure the velocity where the actuator acts");
}

}  // namespace

TransferInverse invert(const math::StateSpace& transfer, const JunctionLabels& names) {
  check_size(transfer, names);
  const Index n = transfer.states();
  const Index ports = transfer.outputs();
  MatrixXd delta(ports, ports);
  TransferInverse inverse;
  inverse.degrees = vector_degree(transfer, names, delta);
  const auto delta_inverse =
      math::solve_if_regular(delta, MatrixXd::Identity(ports, ports), kDependent);
  if (!delta_inverse)
    fail(
        "E_VJ_SINGULAR", names.path,
        "the transfer systems cannot move the ports " + quoted(names.ports) +
            " independently of each other (their decoupling matrix is singular); give each "
            "port an actuator of its own");
  inverse.delta_inverse = *delta_inverse;
  const Index all = std::accumulate(inverse.degrees.begin(), inverse.degrees.end(), 0);
  MatrixXd Xi(all, n);
  MatrixXd top(ports, n);
  Index row = 0;
  for (Index i = 0; i < ports; ++i) {
    const int degree = inverse.degrees[static_cast<std::size_t>(i)];
    for (int k = 0; k < degree; ++k) Xi.row(row++) = output_power(transfer, k).row(i);
    top.row(i) = output_power(transfer, degree).row(i);
  }
  MatrixXd L = n > 0 ? completed(Xi, transfer.B) : MatrixXd(0, 0);
  MatrixXd basis(n, n);
  basis << Xi, L;
  const MatrixXd back = n > 0 ? trestle::math::inverse(basis) : MatrixXd(0, 0);
  const MatrixXd through = L * transfer.B * inverse.delta_inverse;
  inverse.R = top * back.leftCols(all);
  inverse.S = top * back.rightCols(n - all);
  inverse.Q = L * transfer.A * back.rightCols(n - all) - through * inverse.S;
  inverse.P = L * transfer.A * back.leftCols(all) - through * inverse.R;
  inverse.W = through;
  for (Index i = 0; i < inverse.Q.rows(); ++i) {
    Index first = 0;
    while (first < all && inverse.P(i, first) == 0.0) ++first;
    if (first == all || inverse.P(i, first) > 0.0) continue;
    inverse.P.row(i) *= -1.0;
    inverse.W.row(i) *= -1.0;
    inverse.Q.row(i) *= -1.0;
    inverse.Q.col(i) *= -1.0;
    inverse.S.col(i) *= -1.0;
  }
  check_zeros(inverse, names);
  return inverse;
}

}  // namespace trestle::bond_graph
