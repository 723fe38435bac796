#include "numerical/bond_graph/linear_graph.h"

#include <cmath>

#include "core/math/dense_solve.h"
#include "numerical/bond_graph/causal_path.h"
#include "numerical/bond_graph/dependency_order.h"
#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Pivots below this part of the largest count as zero.
constexpr double kSingular = 1e-12;

std::vector<std::string> names(const Graph& graph, const std::vector<std::size_t>& elements,
                               const std::vector<Index>& which) {
  std::vector<std::string> list;
  for (const Index i : which)
    list.push_back(graph.element(elements[static_cast<std::size_t>(i)]).name);
  return list;
}

/// A⁻¹ B, also where nothing is to be solved.
std::optional<MatrixXd> solve(const MatrixXd& A, const MatrixXd& B) {
  if (A.rows() == 0 || B.cols() == 0) return B;
  return math::solve_if_regular(A, B, kSingular);
}

/// z = F x of storages in integral form.
VectorXd storage_gains(const Graph& graph, const std::vector<std::size_t>& elements) {
  VectorXd gains(static_cast<Index>(elements.size()));
  for (Index i = 0; i < gains.size(); ++i) {
    const Element& one = graph.element(elements[static_cast<std::size_t>(i)]);
    gains(i) = one.type == ElementType::kInertia ? 1.0 / one.value : one.value;
  }
  return gains;
}

VectorXd damper_gains(const Graph& graph, const JunctionStructure& S) {
  VectorXd gains(static_cast<Index>(S.resistors.size()));
  for (std::size_t i = 0; i < S.resistors.size(); ++i) {
    const double c = graph.element(S.resistors[i]).value;
    gains(static_cast<Index>(i)) = S.receives_effort[i] ? 1.0 / c : c;
  }
  return gains;
}

// Relative rounding of a sum of tens of terms that cancel.
constexpr double kRoundOff = 1e-14;

/// base + A B, zero if its terms cancel: that a thing does not reach another at all
/// decides degrees.
MatrixXd sum(const MatrixXd& base, const MatrixXd& A, const MatrixXd& B) {
  MatrixXd value = base + A * B;
  const MatrixXd size = base.cwiseAbs() + A.cwiseAbs() * B.cwiseAbs();
  for (Index j = 0; j < value.cols(); ++j)
    for (Index i = 0; i < value.rows(); ++i)
      if (std::abs(value(i, j)) <= kRoundOff * size(i, j)) value(i, j) = 0.0;
  return value;
}

/// r = (I − L S_rr)⁻¹ L r_in(z, d, u), put in: in = [from_z | from_d | from_u] (z, d, u).
struct Eliminated {
  MatrixXd z, d, u;
};

MatrixXd damper_feedback(const Graph& graph, const JunctionStructure& S) {
  const Index n = S.r.r.rows();
  const MatrixXd L = damper_gains(graph, S).asDiagonal();
  auto feedback = solve(MatrixXd::Identity(n, n) - L * S.r.r, L);
  if (!feedback) {
    const auto loop = cyclic_rows(S.r.r);
    const std::size_t first = S.resistors[static_cast<std::size_t>(loop.front())];
    fail("E_ALGEBRAIC_SINGULAR", graph.element(first).path,
         "the dampers " + quoted(names(graph, S.resistors, loop)) +
             " depend on each other in a loop of gain one, so that their forces cannot be "
             "found; look for a negative damping that cancels another, or put a small mass "
             "or spring between them");
  }
  return *feedback;
}

std::string input_rate_sentence(const Element& source, const Element& storage) {
  const bool mass = storage.type == ElementType::kInertia;
  const std::string what = "`" + source.name + "` prescribes the " +
                           (mass ? "velocity of the mass" : "force of the spring") + " `" +
                           storage.name +
                           "` directly, so that its derivative would be needed; ";
  if (source.type == ElementType::kPort)
    return what +
           "move the cut to the other side of the neighbouring spring, so that a "
           "mass stands on the model's side and a spring on the hardware's";
  return what + "put a " + (mass ? "spring" : "mass") + " between `" + source.name +
         "` and `" + storage.name + "`, or prescribe the " + (mass ? "force" : "velocity") +
         " instead";
}

}  // namespace

LinearGraph linearise_graph(const Graph& graph, const JunctionStructure& S) {
  const MatrixXd r = damper_feedback(graph, S);
  const auto eliminate = [&](const MatrixXd& z, const MatrixXd& d, const MatrixXd& from_r,
                             const MatrixXd& u) {
    const MatrixXd through = from_r * r;
    return Eliminated{sum(z, through, S.r.z), sum(d, through, S.r.d),
                      sum(u, through, S.r.u)};
  };
  const MatrixXd F = storage_gains(graph, S.integral).asDiagonal();
  const Eliminated x = eliminate(S.x.z, S.x.d, S.x.r, S.x.u);
  const Eliminated dependent = eliminate(S.d.z, S.d.d, S.d.r, S.d.u);
  const Eliminated y = eliminate(S.y.z, S.y.d, S.y.r, S.y.u);
  if (!dependent.d.isZero(0.0)) {
    const Index first =
        cyclic_rows(dependent.d).empty() ? 0 : cyclic_rows(dependent.d).front();
    const Element& one = graph.element(S.derivative[static_cast<std::size_t>(first)]);
    fail("E_INDEX", one.path,
         "`" + one.name +
             "` follows other masses or springs that themselves follow others "
             "(index above 2); put the small spring or damper between them that a real "
             "connection has");
  }
  // x_d = G z_d, d = x_d': d = M x' + N u'.
  const VectorXd inverse_gains = storage_gains(graph, S.derivative).cwiseInverse();
  const MatrixXd M = inverse_gains.asDiagonal() * dependent.z * F;
  const MatrixXd N = inverse_gains.asDiagonal() * dependent.u;
  const Index n = F.rows();
  const MatrixXd mass = sum(MatrixXd::Identity(n, n), -x.d, M);
  MatrixXd right(n, n + 2 * N.cols());
  right << x.z * F, x.u, x.d * N;
  const auto solved = solve(mass, right);
  if (!solved)
    fail("E_INDEX", graph.element(S.derivative.front()).path,
         "`" + graph.element(S.derivative.front()).name +
             "` and the masses or springs that it follows cancel each other; look for a "
             "negative mass or stiffness");
  const MatrixXd A = solved->leftCols(n);
  const MatrixXd B = solved->middleCols(n, N.cols());
  const MatrixXd E = solved->rightCols(N.cols());
  // x' = A x + B u + E u' becomes that of x − E u; y sees d = M x' + N u'.
  const MatrixXd C = sum(y.z * F, y.d * M, A);
  LinearGraph form;
  form.system.A = A;
  form.system.B = sum(B, A, E);
  form.system.C = C;
  form.system.D = sum(sum(y.u, y.d * M, B), C, E);
  form.rate = y.d * sum(N, M, E);
  return form;
}

void refuse_input_rates(const Graph& graph, const JunctionStructure& S) {
  // Directly, or through any number of dampers.
  MatrixXd dampers = S.r.u.cwiseAbs();
  for (Index i = 0; i < S.r.r.rows(); ++i)
    dampers = (S.r.u.cwiseAbs() + S.r.r.cwiseAbs() * dampers).cwiseMin(1.0).eval();
  const MatrixXd reach = S.d.u.cwiseAbs() + S.d.r.cwiseAbs() * dampers;
  for (Index i = 0; i < reach.rows(); ++i)
    for (Index j = 0; j < reach.cols(); ++j) {
      if (reach(i, j) == 0.0) continue;
      const Element& storage = graph.element(S.derivative[static_cast<std::size_t>(i)]);
      const Element& source = graph.element(S.inputs[static_cast<std::size_t>(j)]);
      fail("E_INPUT_DERIVATIVE", storage.path, input_rate_sentence(source, storage));
    }
}

}  // namespace trestle::bond_graph
