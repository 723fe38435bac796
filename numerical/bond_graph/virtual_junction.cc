#include "numerical/bond_graph/virtual_junction.h"

#include <cmath>
#include <numeric>

#include "core/base/setting_error_collector.h"
#include "core/math/dense_solve.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/markov.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string degree_words(int degree) {
  return degree == 0 ? "at once"
                     : "through " + std::to_string(degree) +
                           (degree == 1 ? " integration" : " integrations");
}

/// Returns the relative degree of one output from one input; −1: no path.
int degree_of(const math::StateSpace& system, Index output, Index input) {
  for (int k = 0; k <= system.states(); ++k)
    if (markov_parameter(system, k)(output, input) != 0.0) return k;
  return -1;
}

void check_proper(const math::StateSpace& numerical, const TransferInverse& inverse,
                  const JunctionLabels& names) {
  SettingErrorCollector problems;
  for (std::size_t i = 0; i < names.ports.size(); ++i)
    for (Index j = 0; j < numerical.inputs(); ++j) {
      const int actual = degree_of(numerical, static_cast<Index>(i), j);
      if (actual < 0 || actual >= inverse.degrees[i]) continue;
      problems.add(
          names.transfer_paths[i],
          coded(
              "at port `" + names.ports[i] + "` the input `" +
                  names.inputs[static_cast<std::size_t>(j)] + "` reaches the velocity " +
                  degree_words(actual) + " (degree " + std::to_string(actual) +
                  "), but the transfer system `" + names.transfers[i] + "` follows " +
                  degree_words(inverse.degrees[i]) + " (degree " +
                  std::to_string(inverse.degrees[i]) +
                  "): its command would need a derivative that nobody measures; put a mass "
                  "between `" +
                  names.inputs[static_cast<std::size_t>(j)] +
                  "` and the port, or identify the transfer system as mass, damper and "
                  "spring at the port",
              "E_VJ_IMPROPER"));
    }
  problems.throw_if_any();
}

}  // namespace

math::StateSpace augmented(const math::StateSpace& numerical,
                           const TransferInverse& inverse, const VectorXd& load,
                           const JunctionLabels& names) {
  check_proper(numerical, inverse, names);
  const auto ports = static_cast<Index>(inverse.degrees.size());
  const Index n = numerical.states();
  const Index inner = inverse.Q.rows();
  const Index all = std::accumulate(inverse.degrees.begin(), inverse.degrees.end(), 0);
  MatrixXd xi(all, n);       // xi = xi x_N
  MatrixXd top_x(ports, n);  // w = top_x x_N + top_u in
  MatrixXd top_u(ports, numerical.inputs());
  Index row = 0;
  for (Index i = 0; i < ports; ++i) {
    const int degree = inverse.degrees[static_cast<std::size_t>(i)];
    for (int k = 0; k < degree; ++k) xi.row(row++) = output_power(numerical, k).row(i);
    top_x.row(i) = output_power(numerical, degree).row(i);
    top_u.row(i) = markov_parameter(numerical, degree).row(i);
  }
  math::StateSpace result;
  result.A = MatrixXd::Zero(n + inner, n + inner);
  result.A.topLeftCorner(n, n) = numerical.A;
  result.A.bottomLeftCorner(inner, n) = inverse.P * xi + inverse.W * top_x;
  result.A.bottomRightCorner(inner, inner) = inverse.Q;
  result.B = MatrixXd::Zero(n + inner, numerical.inputs());
  result.B.topRows(n) = numerical.B;
  result.B.bottomRows(inner) = inverse.W * top_u;
  result.C = MatrixXd::Zero(ports, n + inner);
  result.C.leftCols(n) = inverse.delta_inverse * (top_x - inverse.R * xi);
  result.C.rightCols(inner) = -inverse.delta_inverse * inverse.S;
  result.D = inverse.delta_inverse * top_u;
  for (Index i = 0; i < ports; ++i) result.D(i, i) += load(i);
  return result;
}

std::vector<int> port_degrees(const math::StateSpace& numerical, Index ports) {
  std::vector<int> degrees;
  for (Index i = 0; i < ports; ++i) degrees.push_back(degree_of(numerical, i, i));
  return degrees;
}

MatrixXd displacement_of(const TransferInverse& inverse) {
  const Index inner = inverse.Q.rows();
  const auto ports = static_cast<Index>(inverse.degrees.size());
  MatrixXd dynamics(inner, inner + inverse.P.cols() + ports);
  dynamics << inverse.Q, inverse.P, inverse.W;
  MatrixXd wanted = MatrixXd::Zero(ports, dynamics.cols());
  Index row = 0;
  for (Index i = 0; i < ports; ++i) {
    const int degree = inverse.degrees[static_cast<std::size_t>(i)];
    wanted(i, degree == 0 ? inner + inverse.P.cols() + i : inner + row) = 1.0;
    row += degree;
  }
  if (inner == 0 || math::rank(dynamics, 1e-10) < inner) return MatrixXd(0, inner);
  const MatrixXd Z =
      math::least_squares(dynamics.transpose(), wanted.transpose()).transpose();
  const double left = (Z * dynamics - wanted).cwiseAbs().maxCoeff();
  return left < 1e-9 ? Z : MatrixXd(0, inner);
}

}  // namespace trestle::bond_graph
