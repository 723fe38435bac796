#include "numerical/bond_graph/imposed_flow.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

std::size_t force_source(const TransferModel& transfer) {
  const Graph& graph = *transfer.graph;
  const std::size_t force = graph.find(transfer.force);
  if (force == graph.elements().size() ||
      graph.element(force).type != ElementType::kEffortSource)
    fail("E_UNKNOWN", transfer.path,
         "the transfer system `" + transfer.name + "` has no force source (Se) `" +
             transfer.force + "`; `force` names the source that takes the command");
  return force;
}

}  // namespace

math::StateSpace transfer_system(const TransferModel& transfer) {
  if (!transfer.graph) return transfer.given;
  const Graph& graph = *transfer.graph;
  const std::size_t force = force_source(transfer);
  if (graph.has_laws())
    fail("E_LAW", transfer.path,
         "the transfer system `" + transfer.name +
             "` has a law that is not linear, so that it cannot be undone in advance; give "
             "its mass, damping and stiffness as identified for small motion");
  const std::vector<Signal> velocity = {
      signal_of(graph, transfer.velocity, false, transfer.path)};
  const Analysis analysis = analyse(graph, velocity);
  math::StateSpace system = *make_system(graph, analysis, velocity).linear;
  const auto& inputs = analysis.structure.inputs;
  const Index column = std::find(inputs.begin(), inputs.end(), force) - inputs.begin();
  system.B = system.B.col(column).eval();
  system.D = system.D.col(column).eval();
  return system;
}

std::optional<LinearGraph> imposed_flow(const TransferModel& transfer) {
  if (!transfer.graph || transfer.velocity != transfer.force) return std::nullopt;
  Graph graph = *transfer.graph;
  const std::size_t port = force_source(transfer);
  graph.element(port).type = ElementType::kPort;
  graph.element(port).imposes_effort = false;
  const std::vector<Signal> force = {signal_of(graph, transfer.force, true, transfer.path)};
  const Analysis analysis = analyse(graph, force);
  LinearGraph form = linearise_graph(graph, analysis.structure);
  // The port is the first input; other sources rest.
  form.system.B = form.system.B.leftCols(1).eval();
  form.system.D = form.system.D.leftCols(1).eval();
  form.rate = form.rate.leftCols(1).eval();
  return form;
}

math::StateSpace augmented_by_imposed_flow(const math::StateSpace& numerical,
                                           const std::vector<LinearGraph>& transfers,
                                           const Eigen::VectorXd& load) {
  const auto ports = static_cast<Index>(transfers.size());
  const Index n = numerical.states();
  Index inner = 0;
  for (const LinearGraph& transfer : transfers) inner += transfer.system.states();
  math::StateSpace result;
  result.A = MatrixXd::Zero(n + inner, n + inner);
  result.B = MatrixXd::Zero(n + inner, numerical.inputs());
  result.C = MatrixXd::Zero(ports, n + inner);
  result.D = MatrixXd::Zero(ports, numerical.inputs());
  result.A.topLeftCorner(n, n) = numerical.A;
  result.B.topRows(n) = numerical.B;
  Index at = n;
  for (Index i = 0; i < ports; ++i) {
    const LinearGraph& transfer = transfers[static_cast<std::size_t>(i)];
    const math::StateSpace& T = transfer.system;
    // v = c x + d in, v' = c A x + c B in.
    const Eigen::RowVectorXd c = numerical.C.row(i);
    const Eigen::RowVectorXd d = numerical.D.row(i);
    const double mass = transfer.rate(0, 0);
    result.A.block(at, 0, T.states(), n) = T.B * c;
    result.A.block(at, at, T.states(), T.states()) = T.A;
    result.B.middleRows(at, T.states()) = T.B * d;
    result.C.block(i, 0, 1, n) = T.D(0, 0) * c + mass * c * numerical.A;
    result.C.block(i, at, 1, T.states()) = T.C;
    result.D.row(i) = T.D(0, 0) * d;
    if (mass != 0.0) result.D.row(i) += mass * c * numerical.B;
    result.D(i, i) += load(i);
    at += T.states();
  }
  return result;
}

double worst_difference(const math::StateSpace& one, const math::StateSpace& other) {
  const double middle =
      one.A.size() > 0 ? std::max(one.A.cwiseAbs().maxCoeff(), 1e-6) : 1.0;
  double worst = 0.0;
  // Off the axis, where neither has poles.
  for (const double factor : {0.01, 0.1, 1.0, 10.0}) {
    const std::complex<double> s{0.7 * std::sqrt(middle) * factor,
                                 std::sqrt(middle) * factor};
    const Eigen::MatrixXcd a = math::frequency_response(one, s);
    const Eigen::MatrixXcd b = math::frequency_response(other, s);
    const double size = std::max(a.cwiseAbs().maxCoeff(), 1e-300);
    worst = std::max(worst, (a - b).cwiseAbs().maxCoeff() / size);
  }
  return worst;
}

}  // namespace trestle::bond_graph
