#include "numerical/bond_graph/substructuring_stability.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// An eigenvalue below this part of the largest is a constant of integration: a double one
// comes out of the solver as large as the square root of the round-off.
constexpr double kConstant = 1e-6;

DominantMode leading_mode(const MatrixXd& A) {
  DominantMode leading{-std::numeric_limits<double>::infinity(), 0.0};
  if (A.rows() == 0) return leading;
  const Eigen::VectorXcd values = math::eigenvalues(A);
  const double size = values.cwiseAbs().maxCoeff();
  for (const std::complex<double>& value : values)
    if (std::abs(value) > kConstant * size && value.real() > leading.rate)
      leading = {value.real(), std::abs(value.imag()) / (2.0 * std::numbers::pi)};
  return leading;
}

/// Command from F_P, transfer systems from F_T − load F_P to v, hardware from v to F_P.
MatrixXd closed_loop(const math::StateSpace& command, const math::StateSpace& transfer,
                     const math::StateSpace& physical, const VectorXd& load) {
  const Index ports = load.size();
  const Index a = command.states();
  const Index t = transfer.states();
  const Index p = physical.states();
  const MatrixXd feedback = command.D.leftCols(ports) - MatrixXd(load.asDiagonal());
  // v and F_P from the states.
  MatrixXd direct = MatrixXd::Identity(2 * ports, 2 * ports);
  direct.topRightCorner(ports, ports) = -transfer.D * feedback;
  direct.bottomLeftCorner(ports, ports) = -physical.D.leftCols(ports);
  MatrixXd states = MatrixXd::Zero(2 * ports, a + t + p);
  states.block(0, 0, ports, a) = transfer.D * command.C;
  states.block(0, a, ports, t) = transfer.C;
  states.block(ports, a + t, ports, p) = physical.C;
  const MatrixXd ends = math::solved(direct, states);
  const auto v = ends.topRows(ports);
  const auto force = ends.bottomRows(ports);
  MatrixXd A = MatrixXd::Zero(a + t + p, a + t + p);
  A.topRows(a) = command.B.leftCols(ports) * force;
  A.topLeftCorner(a, a) += command.A;
  A.middleRows(a, t) = transfer.B * feedback * force;
  A.block(a, 0, t, a) += transfer.B * command.C;
  A.block(a, a, t, t) += transfer.A;
  A.bottomRows(p) = physical.B.leftCols(ports) * v;
  A.bottomRightCorner(p, p) += physical.A;
  return A;
}

/// F_T = k_t z.
std::optional<math::StateSpace> uncompensated(const AugmentedSubstructure& augmented) {
  math::StateSpace command = *augmented.system.linear;
  const auto ports = static_cast<Index>(augmented.ports.size());
  command.C = augmented.displacement;
  for (Index i = 0; i < ports; ++i) {
    const double stiffness = augmented.transfers[static_cast<std::size_t>(i)].stiffness;
    if (std::isnan(stiffness)) return std::nullopt;
    command.C.row(i) *= stiffness;
  }
  command.D = MatrixXd::Zero(ports, command.B.cols());
  return command;
}

}  // namespace

std::optional<SubstructuringStability> loop_stability(const Substructuring& test) {
  const AugmentedSubstructure& augmented = test.augmented;
  if (!test.whole.linear || !augmented.system.linear || !test.physical.linear)
    return std::nullopt;
  const auto ports = static_cast<Index>(augmented.ports.size());
  math::StateSpace physical = *test.physical.linear;
  physical.C = physical.C.topRows(ports).eval();
  physical.D = physical.D.topRows(ports).eval();
  VectorXd load(ports);
  for (Index i = 0; i < ports; ++i)
    load(i) = augmented.transfers[static_cast<std::size_t>(i)].load;
  math::StateSpace command = *augmented.system.linear;
  command.C = command.C.topRows(ports).eval();
  command.D = command.D.topRows(ports).eval();
  SubstructuringStability loops;
  loops.whole = leading_mode(test.whole.linear->A);
  loops.junction =
      leading_mode(closed_loop(command, augmented.transfer_model, physical, load));
  if (const auto plain = uncompensated(augmented)) {
    const auto with_load = [&](double beta) {
      return leading_mode(closed_loop(*plain, augmented.transfer_model, physical,
                                      VectorXd::Constant(ports, beta)));
    };
    loops.loaded = with_load(1.0);
    loops.stiff = with_load(0.0);
  }
  return loops;
}

}  // namespace trestle::bond_graph
